package dev.ebb.api.events;

import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.api.peers.Reads;
import dev.ebb.domain.event.ExecutionUsage;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.port.EventQueries;
import dev.ebb.wire.events.ExecutionView;
import io.javalin.http.Context;
import java.util.List;

/** Executions of a stream: those that are under way, and those that are done. */
public record ExecutionResource(Reads reads) implements ApiResource {

    @Override
    public List<ApiRoute> routes() {
        return List.of(ReadRoute.forCaller(ExecutionView.LIST, this::list));
    }

    private ExecutionView.Page list(Context ctx, ExecutionView.Query query) {
        StreamName stream = query.stream();
        int limit = query.limit();
        long after = query.after() == null ? Long.MAX_VALUE : query.after();
        EventQueries queries = reads.of(ctx);
        StreamStanding standing = queries.standing(stream)
                .orElseThrow(() -> reads.notFound(ctx, stream, StreamResource.noStream(stream)));
        List<ExecutionUsage> found = queries.executions(stream, after, limit + 1);
        List<ExecutionView> page = found.stream()
                .limit(limit)
                .map(usage -> ExecutionView.of(usage, standing))
                .toList();
        String next = found.size() > limit ? Long.toString(page.get(limit - 1).execution()) : null;
        return new ExecutionView.Page(page, next, reads.stale(ctx, stream));
    }
}
