package dev.ebb.api.events;

import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.peers.PeerQuestion;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.ExplainQueries;
import dev.ebb.port.ExplainQueries.Standing;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.wire.events.ExplainView;
import io.javalin.http.Context;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explains why a stream or an event stays or goes (O-15). */
public final class ExplainResource implements ApiResource {

    /** Longest wait for another instance, which may take ten seconds for a question. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final ExplainQueries explain;
    private final PolicyAdmin policies;
    private final Clock clock;

    public ExplainResource(ApiPorts ports, Clock clock) {
        this.explain = ports.insight().explain();
        this.policies = ports.policies();
        this.clock = clock;
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(ApiRoute.get(
                        "/v1/streams/{stream}/explain", this::explain, "Shows why a stream or an event stays or goes.")
                .query("event", "Id of the event. Default: explains only the stream.")
                .answers(ExplainView.class));
    }

    /** Explains a stream, also one that does not exist yet. */
    private void explain(Context ctx, QueryParams params) {
        String id = params.text("event");
        params.done();
        PeerQuestion.allow(ctx, PATIENCE);
        StreamName stream = PathNames.stream(ctx);
        PolicySet inForce = policies.current();
        long now = clock.millis();
        Standing standing = id == null ? null : find(stream, id, inForce, now);
        ApiJson.answer(
                ctx,
                new Explanation(stream, inForce, now)
                        .view(standing, explain.sweepProblems(stream), explain.endsInWaiting(stream)));
    }

    private Standing find(StreamName stream, String id, PolicySet inForce, long nowMs) {
        @Nullable String problem = EventId.problem(id);
        if (problem != null) {
            throw ProblemException.badRequest("the id in 'event' " + problem);
        }
        return explain.standing(stream, new EventId(id), inForce, nowMs)
                .orElseThrow(() -> ProblemException.notFound("there is no event '" + id + "' in '" + stream + "'"));
    }
}
