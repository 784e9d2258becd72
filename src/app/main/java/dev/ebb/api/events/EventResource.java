package dev.ebb.api.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.api.access.Role;
import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.http.RequestBody;
import dev.ebb.api.peers.Reads;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamRecord;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.time.DateBound;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.EventQueries.EventPage;
import dev.ebb.port.EventQueries.EventQuery;
import dev.ebb.port.EventWriter;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.ReadEvent;
import dev.ebb.port.history.TimeRange;
import dev.ebb.wire.ProblemView;
import dev.ebb.wire.StaleView;
import dev.ebb.wire.events.StreamView;
import io.javalin.http.Context;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Events of a stream: read, sent, changed. */
public final class EventResource implements ApiResource {

    private final Reads reads;
    private final EventWriter writer;
    private final PolicyAdmin policies;
    private final RequestBody body;
    private final Clock clock;

    public EventResource(ApiPorts ports, Reads reads, RequestBody body, Clock clock) {
        this.reads = reads;
        this.writer = ports.writer();
        this.policies = ports.policies();
        this.body = body;
        this.clock = clock;
    }

    @Override
    public List<ApiRoute> routes() {
        String list = "/v1/streams/{stream}/events";
        String one = list + "/{id}";
        String post = "Sends events or executions: all of them, or none if one is wrong.";
        return List.of(
                listOf(list),
                ApiRoute.post(Role.OPERATOR, list, this::post, post)
                        .takes("EventInputs")
                        .answers(202, SentView.class),
                ApiRoute.get(one, this::get, "Shows one event.")
                        .flag("include-expired", "Show the event even if it is due and waits for a sweep.")
                        .mayBeStale()
                        .answers("Event"),
                ApiRoute.patch(Role.OPERATOR, one, this::patch, "Changes a stored event.")
                        .takes("EventChange")
                        .answers(202, SentView.class));
    }

    private ApiRoute listOf(String path) {
        return ApiRoute.get(path, this::list, "Lists the events of a stream.")
                .query("status", "Status of the events; empty for events without a status. Default: all.")
                .flag("include-expired", "Also list events that are due and wait for a sweep.")
                .query(
                        "expiring-within",
                        "Duration, such as 24h, within which the events fall due by age or own TTL; the soonest first"
                                + " in each execution. Leaves out events that are protected, held, guarded or infinite."
                                + " Default: all.")
                .query(
                        "due-from",
                        "Earliest due time of the events, as in a forecast. Leaves out"
                                + " and sorts events as expiring-within does. Default: all.")
                .query("due-to", "End of the due times, not included; a date means its end. Default: all.")
                .paged()
                .mayBeStale()
                .answers(StreamView.Events.class);
    }

    private void list(Context ctx, QueryParams params) {
        EventQuery query = new EventQuery(
                params.flag("include-expired"),
                params.text("status"),
                params.duration("expiring-within"),
                due(params.moment("due-from", DateBound.BEGINNING), params.moment("due-to", DateBound.AFTER)),
                params.text("after"),
                params.limit());
        params.done();
        StreamName stream = PathNames.stream(ctx);
        EventPage page = reads.of(ctx).events(stream, query);
        if (page.events().isEmpty() && reads.of(ctx).usage(stream).isEmpty()) {
            throw reads.notFound(ctx, stream, StreamResource.noStream(stream));
        }
        boolean withPayload = Guard.maySeePayloads(ctx);
        List<ObjectNode> events = page.events().stream()
                .map(event -> EventView.of(event, withPayload))
                .toList();
        ApiJson.answer(ctx, new StreamView.Events(events, page.next(), reads.stale(ctx, stream)));
    }

    /** Returns the requested range of due times; null if none is requested. */
    private static @Nullable TimeRange due(@Nullable Long from, @Nullable Long to) {
        if (from == null && to == null) {
            return null;
        }
        long fromMs = from == null ? 0 : from;
        long lastMs = to == null ? Long.MAX_VALUE : to - 1;
        if (lastMs < fromMs) {
            throw ProblemException.badRequest("'due-to' must be after 'due-from'");
        }
        return new TimeRange(fromMs, lastMs);
    }

    private void get(Context ctx, QueryParams params) {
        boolean includeExpired = params.flag("include-expired");
        params.done();
        StreamName stream = PathNames.stream(ctx);
        ReadEvent read = find(ctx, stream, PathNames.event(ctx), includeExpired);
        ObjectNode event = EventView.of(read, Guard.maySeePayloads(ctx));
        List<StaleView> stale = reads.stale(ctx, stream);
        if (!stale.isEmpty()) {
            event.set("stale", ApiJson.tree(stale));
        }
        ApiJson.answer(ctx, event);
    }

    /** Takes an event, an execution, or an array of them; sends all of them, or none if one is wrong. */
    private void post(Context ctx, QueryParams params) {
        params.done();
        StreamName stream = PathNames.stream(ctx);
        List<StreamRecord> sent = EventBodies.records(stream, body.jsonText(ctx), clock.millis());
        EffectivePolicy policy = policies.current().effective(stream);
        refuse(sent.stream().map(record -> problem(record, policy)).toList());
        writer.write(sent);
        ctx.status(202);
        ApiJson.answer(ctx, SentView.of(stream, sent));
    }

    private void patch(Context ctx, QueryParams params) {
        params.done();
        StreamName stream = PathNames.stream(ctx);
        EventId id = PathNames.event(ctx);
        EventUpdate update = EventBodies.update(stream, id, body.jsonText(ctx), clock.millis());
        ReadEvent stored = find(ctx, stream, id, false);
        EffectivePolicy policy = policies.current().effective(stream);
        refuse(problemAsList(update, stored, policy));
        writer.writeUpdate(update);
        ctx.status(202);
        ApiJson.answer(ctx, SentView.of(update));
    }

    private ReadEvent find(Context ctx, StreamName stream, EventId id, boolean includeExpired) {
        return reads.of(ctx)
                .event(stream, id)
                .filter(event -> includeExpired || !event.isExpired())
                .orElseThrow(() -> reads.notFound(ctx, stream, "there is no event '" + id + "' in '" + stream + "'"));
    }

    private @Nullable String problem(StreamRecord record, EffectivePolicy policy) {
        return record instanceof Event event ? problem(event, policy) : null;
    }

    private @Nullable String problem(Event event, EffectivePolicy policy) {
        long now = clock.millis();
        Long occurredAt = event.occurredAt();
        Long completedAt = event.completedAt();
        long anchorMs = policy.anchor()
                .value()
                .of(now, occurredAt == null ? now : occurredAt, completedAt == null ? now : completedAt);
        return TtlWish.problem(event.ttl(), policy, anchorMs);
    }

    private static List<@Nullable String> problemAsList(EventUpdate update, ReadEvent stored, EffectivePolicy policy) {
        List<@Nullable String> problems = new ArrayList<>();
        if (update.ttl() != null) {
            long anchorMs = stored.event().anchorMs(policy.anchor().value());
            problems.add(TtlWish.problem(update.ttl(), policy, anchorMs));
        }
        return problems;
    }

    private static void refuse(List<@Nullable String> problems) {
        List<ProblemView.Fault> faults = new ArrayList<>();
        for (int i = 0; i < problems.size(); i++) {
            String problem = problems.get(i);
            if (problem != null) {
                faults.add(new ProblemView.Fault("event " + (i + 1), problem));
            }
        }
        if (!faults.isEmpty()) {
            throw new ProblemException(ProblemKind.REFUSED, "the policy in force does not allow this", faults);
        }
    }
}
