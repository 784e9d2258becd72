package dev.ebb.api.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.peers.Gathering;
import dev.ebb.api.peers.PeerAccess;
import dev.ebb.api.peers.PeerQuestion;
import dev.ebb.api.peers.Reads;
import dev.ebb.domain.BadCursorException;
import dev.ebb.domain.event.NameRule;
import dev.ebb.domain.retention.DueMark;
import dev.ebb.port.EventQueries.ExpiringPage;
import dev.ebb.port.EventQueries.ExpiringQuery;
import dev.ebb.wire.StaleView;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Forecast of deletions from a namespace, over all its streams and all instances. */
public record ExpiringResource(Reads reads, Gathering gathering) implements ApiResource {

    /** Longest wait for another instance, which may take five seconds to look at all streams. */
    private static final Duration PATIENCE = Duration.ofSeconds(12);

    /** An event with its place among all events. */
    private record Marked(DueMark mark, ObjectNode event) {}

    @Override
    public List<ApiRoute> routes() {
        return List.of(ApiRoute.get(
                        "/v1/namespaces/{namespace}/events",
                        this::list,
                        "Lists the events of a namespace that fall due by age or own TTL, the soonest first.")
                .required(
                        "expiring-within",
                        "Duration, such as 24h, within which the events fall due. Leaves out events that are protected,"
                                + " held, guarded or infinite.")
                .flag("include-expired", "Also list events that are due and wait for a sweep.")
                .paged()
                .mayBeStale()
                .answers(ExpiringView.class));
    }

    private void list(Context ctx, QueryParams params) {
        params.require("expiring-within", "such as 24h; without it, ask for the events of one stream");
        Long within = params.duration("expiring-within");
        boolean includeExpired = params.flag("include-expired");
        String after = params.text("after");
        int limit = params.limit();
        params.done();
        ExpiringQuery query = new ExpiringQuery(
                namespace(ctx),
                includeExpired,
                Objects.requireNonNull(within),
                after == null ? null : mark(after),
                limit);
        PeerQuestion.allow(ctx, PATIENCE);
        boolean withPayload = Guard.maySeePayloads(ctx);
        Gathering.Gathered<ExpiringView> gathered =
                gathering.gather(ctx, ExpiringView.class, share -> page(query, share, withPayload));
        ApiJson.answer(ctx, PeerAccess.isForwarded(ctx) ? gathered.answers().get(0) : merged(gathered, limit));
    }

    private static String namespace(Context ctx) {
        String name = PathNames.text(ctx, "namespace");
        String problem = name.contains("/") ? "must not hold a '/'" : NameRule.problem(name);
        if (problem != null) {
            throw ProblemException.badRequest("the namespace in the path " + problem);
        }
        return name;
    }

    private static DueMark mark(String cursor) {
        try {
            return DueMark.parse(cursor);
        } catch (IllegalArgumentException e) {
            throw new BadCursorException();
        }
    }

    private ExpiringView page(ExpiringQuery query, Gathering.Share share, boolean withPayload) {
        ExpiringPage page = reads.of(share.isOfCopy()).expiring(query, share.partitions());
        DueMark next = page.next();
        return new ExpiringView(
                page.events().stream()
                        .map(one -> EventView.of(one.event(), withPayload))
                        .toList(),
                next == null ? null : next.text(),
                page.events().stream().map(one -> one.mark().text()).toList(),
                List.of(),
                reads.stale(share.isOfCopy(), share.partitions()));
    }

    /**
     * Merges the pages of all instances. Events after the mark up to which every page is complete are left out: the
     * page of another instance may lack an event before them.
     */
    private static ExpiringView merged(Gathering.Gathered<ExpiringView> gathered, int limit) {
        List<ExpiringView> pages = gathered.answers();
        DueMark complete = pages.stream()
                .map(ExpiringView::next)
                .filter(Objects::nonNull)
                .map(DueMark::parse)
                .min(Comparator.naturalOrder())
                .orElse(null);
        List<Marked> known = pages.stream()
                .flatMap(page -> marked(page).stream())
                .filter(one -> complete == null || one.mark().compareTo(complete) <= 0)
                .sorted(Comparator.comparing(Marked::mark))
                .toList();
        List<Marked> first = known.subList(0, Math.min(known.size(), limit));
        List<ObjectNode> events = first.stream().map(Marked::event).toList();
        String next = next(first, known.size() > limit, complete);
        return new ExpiringView(events, next, null, gathered.unanswered(), stale(pages));
    }

    private static List<StaleView> stale(List<ExpiringView> pages) {
        return pages.stream()
                .flatMap(page -> Objects.requireNonNullElse(page.stale(), List.<StaleView>of()).stream())
                .toList();
    }

    private static @Nullable String next(List<Marked> first, boolean isCut, @Nullable DueMark complete) {
        DueMark next = isCut ? first.get(first.size() - 1).mark() : complete;
        return next == null ? null : next.text();
    }

    private static List<Marked> marked(ExpiringView page) {
        List<String> marks = Objects.requireNonNullElse(page.marks(), List.of());
        return IntStream.range(0, marks.size())
                .mapToObj(i ->
                        new Marked(DueMark.parse(marks.get(i)), page.events().get(i)))
                .toList();
    }
}
