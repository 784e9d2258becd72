package dev.ebb.api.insight;

import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.QueryParams;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.port.history.ReportQueries;
import dev.ebb.port.history.TimeRange;
import dev.ebb.wire.history.SweepView;
import io.javalin.http.Context;
import java.util.List;

/** Results of sweeps. */
public final class SweepResource implements ApiResource {

    private final ReportQueries reports;

    public SweepResource(ReportQueries reports) {
        this.reports = reports;
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get("/v1/sweeps", this::list, "Lists the sweeps that found something, newest first.")
                        .between()
                        .paged()
                        .answers(SweepView.Page.class),
                ApiRoute.get(
                                "/v1/sweeps/{id}",
                                this::get,
                                "Shows the deletes of a sweep, or of the sweeps of a command, added up.")
                        .answers(SweepView.Detail.class));
    }

    /**
     * Lists reports. The limit counts reports of single partitions, so that a page may begin in the middle of a
     * command's sweeps.
     */
    private void list(Context ctx, QueryParams params) {
        TimeRange time = params.time();
        int limit = params.limit();
        params.done();
        HistoryPage<SweepReport> page = reports.list(time, params.text("after"), limit);
        ApiJson.answer(ctx, new SweepView.Page(SweepView.grouped(page.items()), page.next()));
    }

    private void get(Context ctx, QueryParams params) {
        params.done();
        String id = PathNames.text(ctx, "id");
        List<SweepReport> found = reports.find(id);
        if (found.isEmpty()) {
            throw ProblemException.notFound("there is no report of '" + id
                    + "': no such sweep found anything, or it is past the retention of the topic");
        }
        ApiJson.answer(ctx, SweepView.Detail.of(found));
    }
}
