package dev.ebb.api.insight;

import dev.ebb.api.access.Role;
import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.port.history.RejectedQueries;
import dev.ebb.port.history.RejectedRecord;
import dev.ebb.wire.history.RejectedView;
import io.javalin.http.Context;
import java.util.List;

/** Records that could not be used, and their replay (O-20). */
public record RejectedResource(RejectedQueries rejected) implements ApiResource {

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ReadRoute.forCaller(RejectedView.LIST, this::list),
                ReadRoute.forCaller(
                        RejectedView.SHOW, (ctx, one) -> shown(ctx, RejectedView.withValue(find(one.id())))),
                ApiRoute.post(
                                Role.OPERATOR,
                                "/v1/rejected/{id}/replay",
                                this::replay,
                                "Sends a rejected record, unchanged, to the topic that it came from.")
                        .answers(202, RejectedView.Replayed.class));
    }

    private RejectedView.Page list(Context ctx, RejectedView.Query query) {
        String reason = query.reason() == null ? null : query.reason().name();
        HistoryPage<RejectedRecord> page = rejected.list(reason, query.time(), query.after(), query.limit());
        return new RejectedView.Page(
                page.items().stream()
                        .map(record -> shown(ctx, RejectedView.withoutValue(record)))
                        .toList(),
                page.next());
    }

    private void replay(Context ctx, QueryParams params) {
        params.done();
        RejectedRecord record = find(PathNames.rejected(ctx));
        String topic = rejected.replay(record);
        ctx.status(202);
        ApiJson.answer(ctx, new RejectedView.Replayed(record.id().toString(), topic));
    }

    private static RejectedView shown(Context ctx, RejectedView view) {
        return Guard.maySeePayloads(ctx) ? view : view.withoutContent();
    }

    private RejectedRecord find(RejectedRecord.Id id) {
        return rejected.find(id)
                .orElseThrow(() -> ProblemException.notFound(
                        "there is no rejected record " + id + ", or it is past the retention of the topic"));
    }
}
