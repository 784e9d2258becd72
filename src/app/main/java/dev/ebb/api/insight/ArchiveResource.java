package dev.ebb.api.insight;

import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.QueryParams;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.port.history.ArchiveQueries;
import dev.ebb.port.history.ArchiveQueries.ArchiveFilter;
import dev.ebb.port.history.ArchivedRecord;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.wire.history.ArchiveView;
import io.javalin.http.Context;
import java.util.List;
import java.util.stream.Stream;

/** Deleted events that a policy had archived. */
public final class ArchiveResource implements ApiResource {

    private static final List<String> CAUSES =
            Stream.of(RemovalCause.values()).map(RemovalCause::name).toList();

    private final ArchiveQueries archive;

    public ArchiveResource(ArchiveQueries archive) {
        this.archive = archive;
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(ApiRoute.get("/v1/archive", this::list, "Lists archived events, the last deleted first.")
                .query("stream", "Stream of the events. Default: all.")
                .query("namespace", "Namespace of the events. Default: all.")
                .query("cause", "Cause of the delete: " + String.join(", ", CAUSES) + ".")
                .query("sweep", "Sweep or command that deleted the events. Default: all.")
                .between()
                .paged()
                .answers(ArchiveView.Page.class));
    }

    private void list(Context ctx, QueryParams params) {
        String stream = params.streamName("stream");
        ArchiveFilter filter = new ArchiveFilter(
                stream == null ? null : new StreamName(stream),
                params.text("namespace"),
                params.word("cause", CAUSES),
                params.text("sweep"),
                params.time());
        int limit = params.limit();
        params.done();
        HistoryPage<ArchivedRecord> page = archive.list(filter, params.text("after"), limit);
        ApiJson.answer(
                ctx,
                new ArchiveView.Page(page.items().stream().map(ArchiveView::of).toList(), page.next()));
    }
}
