package dev.ebb.api;

import dev.ebb.api.EventQueries.StreamPage;
import dev.ebb.api.EventQueries.StreamQuery;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamUsage;
import io.javalin.http.Context;
import java.util.List;

/** Streams: what they hold and what is in force for them. */
final class StreamResource implements ApiResource {

    private final EventQueries events;
    private final PolicyAdmin policies;

    StreamResource(EventQueries events, PolicyAdmin policies) {
        this.events = events;
        this.policies = policies;
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get("/v1/streams", this::list, "Lists streams by name with what they hold.")
                        .query("namespace", "Only streams of this namespace.")
                        .query("prefix", "Only streams whose names begin like this.")
                        .paged()
                        .answers(StreamView.Page.class),
                ApiRoute.get("/v1/streams/{stream}", this::get, "What a stream holds and what is in force for it.")
                        .answers(StreamView.Detail.class),
                ApiRoute.get("/v1/streams/{stream}/policy", this::policy, "What is in force for a stream.")
                        .answers(EffectivePolicyView.class));
    }

    private void list(Context ctx) {
        QueryParams params = QueryParams.of(ctx, "prefix", "namespace", "after", "limit");
        StreamQuery query = new StreamQuery(
                params.text("prefix", ""), params.text("namespace"), params.text("after"), params.limit());
        params.done();
        StreamPage page = events.streams(query);
        ApiJson.answer(
                ctx,
                new StreamView.Page(page.streams().stream().map(StreamView::of).toList(), page.next()));
    }

    private void get(Context ctx) {
        QueryParams.refuseAll(ctx);
        StreamName stream = PathNames.stream(ctx);
        StreamUsage usage = events.usage(stream).orElseThrow(() -> noStream(stream));
        ApiJson.answer(ctx, new StreamView.Detail(StreamView.of(usage), effective(stream)));
    }

    /** Also for streams that do not exist yet. */
    private void policy(Context ctx) {
        QueryParams.refuseAll(ctx);
        ApiJson.answer(ctx, effective(PathNames.stream(ctx)));
    }

    private EffectivePolicyView effective(StreamName stream) {
        return EffectivePolicyView.of(policies.current().effective(stream));
    }

    static ProblemException noStream(StreamName stream) {
        return ProblemException.notFound("there is no stream '" + stream + "'");
    }
}
