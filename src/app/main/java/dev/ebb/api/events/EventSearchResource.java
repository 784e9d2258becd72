package dev.ebb.api.events;

import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.peers.PeerQuestion;
import dev.ebb.api.peers.Reads;
import dev.ebb.domain.BadCursorException;
import dev.ebb.port.EventQueries.FoundPage;
import dev.ebb.port.EventQueries.SearchMark;
import dev.ebb.port.EventQueries.SearchQuery;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Search for events by what they say, over all streams. The instance that keeps a partition searches it. */
public record EventSearchResource(Reads reads) implements ApiResource {

    /** Longest wait for another instance, which may search for two seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Override
    public List<ApiRoute> routes() {
        return List.of(ApiRoute.get("/v1/events", this::list, "Searches the events of all streams, in no order.")
                .repeated(
                        "where",
                        "Condition, such as metadata.user=42: id, stream, type, status, correlationId, contentType,"
                                + " source or metadata.<key> is exactly this text. May be repeated: all conditions must be met.")
                .query("namespace", "Only events of streams of this namespace.")
                .flag("include-expired", "Also list events that are due and wait for a sweep.")
                .paged()
                .answers(FoundView.class));
    }

    private void list(Context ctx, QueryParams params) {
        SearchQuery query = new SearchQuery(
                params.conditions("where"),
                params.text("namespace"),
                params.flag("include-expired"),
                mark(params.text("after")),
                params.limit());
        params.done();
        PeerQuestion.allow(ctx, PATIENCE);
        FoundPage page = reads.of(ctx).search(query);
        boolean withPayload = Guard.maySeePayloads(ctx);
        SearchMark next = page.next();
        ApiJson.answer(
                ctx,
                new FoundView(
                        page.events().stream()
                                .map(event -> EventView.of(event, withPayload))
                                .toList(),
                        next == null ? null : next.text()));
    }

    private static SearchMark mark(@Nullable String after) {
        try {
            return after == null ? SearchMark.FIRST : SearchMark.parse(after);
        } catch (IllegalArgumentException e) {
            throw new BadCursorException();
        }
    }
}
