package dev.ebb.api.insight;

import dev.ebb.api.access.Role;
import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.QueryParams;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.port.history.RejectedQueries;
import dev.ebb.port.history.RejectedRecord;
import dev.ebb.port.history.TimeRange;
import dev.ebb.wire.history.RejectedView;
import io.javalin.http.Context;
import java.util.List;
import java.util.stream.Stream;

/** Records that could not be used, and their replay (O-20). */
public final class RejectedResource implements ApiResource {

    private static final List<String> REASONS =
            Stream.of(RejectReason.values()).map(RejectReason::name).toList();

    private final RejectedQueries rejected;

    public RejectedResource(RejectedQueries rejected) {
        this.rejected = rejected;
    }

    @Override
    public List<ApiRoute> routes() {
        String one = "/v1/rejected/{id}";
        return List.of(
                ApiRoute.get("/v1/rejected", this::list, "Lists rejected records, newest first.")
                        .query("reason", "Reason why the records were rejected: " + String.join(", ", REASONS) + ".")
                        .between()
                        .paged()
                        .answers(RejectedView.Page.class),
                ApiRoute.get(one, this::get, "Shows one rejected record with its contents.")
                        .answers(RejectedView.class),
                ApiRoute.post(
                                Role.OPERATOR,
                                one + "/replay",
                                this::replay,
                                "Sends a rejected record, unchanged, to the topic that it came from.")
                        .answers(202, RejectedView.Replayed.class));
    }

    private void list(Context ctx, QueryParams params) {
        String reason = params.word("reason", REASONS);
        TimeRange time = params.time();
        int limit = params.limit();
        params.done();
        HistoryPage<RejectedRecord> page = rejected.list(reason, time, params.text("after"), limit);
        ApiJson.answer(
                ctx,
                new RejectedView.Page(
                        page.items().stream()
                                .map(record -> shown(ctx, RejectedView.withoutValue(record)))
                                .toList(),
                        page.next()));
    }

    private void get(Context ctx, QueryParams params) {
        params.done();
        ApiJson.answer(ctx, shown(ctx, RejectedView.withValue(find(ctx))));
    }

    private void replay(Context ctx, QueryParams params) {
        params.done();
        RejectedRecord record = find(ctx);
        String topic = rejected.replay(record);
        ctx.status(202);
        ApiJson.answer(ctx, new RejectedView.Replayed(record.id().toString(), topic));
    }

    private static RejectedView shown(Context ctx, RejectedView view) {
        return Guard.maySeePayloads(ctx) ? view : view.withoutContent();
    }

    private RejectedRecord find(Context ctx) {
        RejectedRecord.Id id = PathNames.rejected(ctx);
        return rejected.find(id)
                .orElseThrow(() -> ProblemException.notFound(
                        "there is no rejected record " + id + ", or it is past the retention of the topic"));
    }
}
