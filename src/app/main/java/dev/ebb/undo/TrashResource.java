package dev.ebb.undo;

import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.api.peers.Gathering;
import dev.ebb.api.peers.Gathering.Gathered;
import dev.ebb.api.peers.Gathering.Share;
import dev.ebb.api.peers.PeerAccess;
import dev.ebb.api.peers.PeerQuestion;
import dev.ebb.domain.BadCursorException;
import dev.ebb.domain.event.StreamName;
import dev.ebb.port.history.TrashCounts;
import dev.ebb.wire.UnansweredView;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Deleted events that can be brought back: their number, the end of their time, and the cause of their deletion (T-5).
 */
public record TrashResource(TrashCounts trash, Gathering gathering) implements ApiResource {

    private static final Duration PATIENCE = Duration.ofSeconds(12);

    @Override
    public List<ApiRoute> routes() {
        return List.of(ReadRoute.forCaller(TrashedView.LIST, this::list));
    }

    private TrashedView.Page list(Context ctx, TrashedView.Query query) {
        Predicate<TrashedView> isBehind = behind(query.after());
        Gathered<TrashedView.Page> gathered = query.stream() == null ? gathered(ctx) : ofStream(query.stream());
        if (PeerAccess.isForwarded(ctx)) {
            // The asking instance adds up the parts of all instances before it cuts a page.
            return gathered.answers().get(0);
        }
        List<TrashedView> all =
                TrashedView.joined(gathered.answers().stream().flatMap(page -> page.deletions().stream())).stream()
                        .filter(deletion ->
                                query.namespace() == null || query.namespace().equals(deletion.namespace()))
                        .filter(isBehind)
                        .toList();
        return page(all, query.limit(), gathered.unanswered());
    }

    private Gathered<TrashedView.Page> gathered(Context ctx) {
        PeerQuestion.allow(ctx, PATIENCE);
        return gathering.gather(ctx, TrashedView.Page.class, this::ofShare);
    }

    private TrashedView.Page ofShare(Share share) {
        return whole(trash.waiting(share.partitions()).stream().map(TrashedView::of));
    }

    private Gathered<TrashedView.Page> ofStream(StreamName stream) {
        return new Gathered<>(List.of(whole(trash.waiting(stream).stream().map(TrashedView::of))), List.of());
    }

    private static TrashedView.Page whole(Stream<TrashedView> deletions) {
        return new TrashedView.Page(deletions.toList(), null, List.of());
    }

    private static TrashedView.Page page(List<TrashedView> all, int limit, List<UnansweredView> unanswered) {
        List<TrashedView> shown = all.subList(0, Math.min(limit, all.size()));
        boolean isMore = all.size() > limit;
        return new TrashedView.Page(shown, isMore ? cursor(shown.get(limit - 1)) : null, unanswered);
    }

    private static String cursor(TrashedView last) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(last.cursor().getBytes(StandardCharsets.UTF_8));
    }

    private static Predicate<TrashedView> behind(@Nullable String after) {
        if (after == null) {
            return deletion -> true;
        }
        try {
            String text = new String(Base64.getUrlDecoder().decode(after), StandardCharsets.UTF_8);
            int end = text.indexOf(' ');
            long lastDeletedMs = Long.parseLong(text.substring(0, Math.max(0, end)));
            return deletion -> deletion.isBehind(lastDeletedMs, text.substring(end + 1));
        } catch (IllegalArgumentException e) {
            throw new BadCursorException();
        }
    }
}
