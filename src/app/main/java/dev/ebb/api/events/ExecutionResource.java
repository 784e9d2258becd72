package dev.ebb.api.events;

import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.peers.Reads;
import dev.ebb.domain.event.ExecutionUsage;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.port.EventQueries;
import dev.ebb.wire.events.ExecutionView;
import io.javalin.http.Context;
import java.util.List;

/** Executions of a stream: those that are under way, and those that are done. */
public final class ExecutionResource implements ApiResource {

    private final Reads reads;

    public ExecutionResource(Reads reads) {
        this.reads = reads;
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(ApiRoute.get(
                        "/v1/streams/{stream}/executions",
                        this::list,
                        "Lists the executions of a stream, the current one first.")
                .paged()
                .mayBeStale()
                .answers(ExecutionView.Page.class));
    }

    private void list(Context ctx, QueryParams params) {
        Long after = params.number("after");
        int limit = params.limit();
        params.done();
        StreamName stream = PathNames.stream(ctx);
        EventQueries queries = reads.of(ctx);
        StreamStanding standing = queries.standing(stream)
                .orElseThrow(() -> reads.notFound(ctx, stream, StreamResource.noStream(stream)));
        List<ExecutionUsage> found = queries.executions(stream, after == null ? Long.MAX_VALUE : after, limit + 1);
        List<ExecutionView> page = found.stream()
                .limit(limit)
                .map(usage -> ExecutionView.of(usage, standing))
                .toList();
        String next = found.size() > limit ? Long.toString(page.get(limit - 1).execution()) : null;
        ApiJson.answer(ctx, new ExecutionView.Page(page, next, reads.stale(ctx, stream)));
    }
}
