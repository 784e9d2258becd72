package dev.ebb.archive;

import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.port.history.ArchiveQueries;
import dev.ebb.port.history.ArchiveQueries.ArchiveFilter;
import dev.ebb.port.history.ArchivedRecord;
import dev.ebb.port.history.HistoryPage;
import java.util.List;

/** Deleted events that a policy had archived. */
public record ArchiveResource(ArchiveQueries archive) implements ApiResource {

    @Override
    public List<ApiRoute> routes() {
        return List.of(ReadRoute.of(ArchiveView.LIST, this::list));
    }

    private ArchiveView.Page list(ArchiveView.Query query) {
        String cause = query.cause() == null ? null : query.cause().name();
        ArchiveFilter filter = new ArchiveFilter(query.stream(), query.namespace(), cause, query.sweep(), query.time());
        HistoryPage<ArchivedRecord> page = archive.list(filter, query.after(), query.limit());
        return new ArchiveView.Page(page.items().stream().map(ArchiveView::of).toList(), page.next());
    }
}
