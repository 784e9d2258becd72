package dev.ebb.api.insight;

import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.port.history.ReportQueries;
import dev.ebb.wire.history.SweepView;
import java.util.List;

/** Results of sweeps. */
public record SweepResource(ReportQueries reports) implements ApiResource {

    @Override
    public List<ApiRoute> routes() {
        return List.of(ReadRoute.of(SweepView.LIST, this::list), ReadRoute.of(SweepView.SHOW, this::show));
    }

    /**
     * Lists reports. The limit counts reports of single partitions, so that a page may begin in the middle of a
     * command's sweeps.
     */
    private SweepView.Page list(SweepView.Query query) {
        HistoryPage<SweepReport> page = reports.list(query.time(), query.after(), query.limit());
        return new SweepView.Page(SweepView.grouped(page.items()), page.next());
    }

    private SweepView.Detail show(SweepView.One one) {
        List<SweepReport> found = reports.find(one.id());
        if (found.isEmpty()) {
            throw ProblemException.notFound("there is no report of '" + one.id()
                    + "': no such sweep found anything, or it is past the retention of the topic");
        }
        return SweepView.Detail.of(found);
    }
}
