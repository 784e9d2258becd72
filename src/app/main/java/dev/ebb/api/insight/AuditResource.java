package dev.ebb.api.insight;

import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.port.history.AuditQueries;
import dev.ebb.port.history.AuditQueries.AuditFilter;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.wire.history.AuditView;
import java.util.List;

/** The audit: deletions, their reasons, and the rules that led to them. */
public record AuditResource(AuditQueries audit) implements ApiResource {

    @Override
    public List<ApiRoute> routes() {
        return List.of(ReadRoute.of(AuditView.LIST, this::list), ReadRoute.of(AuditView.SHOW, this::show));
    }

    private AuditView.Page list(AuditView.Query query) {
        AuditFilter filter = new AuditFilter(
                query.stream(),
                query.namespace(),
                query.cause() == null ? null : query.cause().name(),
                query.actor(),
                query.sweep(),
                query.event(),
                query.policy(),
                query.action() == null ? null : query.action().name(),
                query.time());
        HistoryPage<AuditRecord> page = audit.list(filter, query.after(), query.limit());
        return new AuditView.Page(
                page.items().stream().map(AuditView::withoutIds).toList(), page.next());
    }

    private AuditView show(AuditView.One one) {
        return audit.find(one.id())
                .map(AuditView::withIds)
                .orElseThrow(() -> ProblemException.notFound(
                        "there is no audit record '" + one.id() + "', or it is past the retention of the topic"));
    }
}
