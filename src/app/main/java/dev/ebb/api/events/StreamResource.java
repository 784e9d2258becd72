package dev.ebb.api.events;

import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.api.peers.Gathering;
import dev.ebb.api.peers.Reads;
import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.port.EventQueries;
import dev.ebb.port.EventQueries.NextDue;
import dev.ebb.port.EventQueries.StreamPage;
import dev.ebb.port.EventQueries.StreamQuery;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.wire.EffectivePolicyView;
import dev.ebb.wire.StaleView;
import dev.ebb.wire.events.StreamView;
import dev.ebb.wire.events.StreamView.Page;
import dev.ebb.wire.read.OfStream;
import dev.ebb.wire.read.Read;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Streams: their contents and the policies in force for them. */
public record StreamResource(Reads reads, PolicyAdmin policies, Gathering gathering) implements ApiResource {

    private static final Comparator<StreamView> BY_NAME =
            Comparator.comparing(view -> view.stream().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    /** Answers also for a stream that does not exist yet. */
    private static final Read<OfStream, EffectivePolicyView> POLICY = new Read<>(
            "/v1/streams/{stream}/policy",
            "Shows the policy in force for the name of a stream, whether or not there is such a stream.",
            OfStream.class,
            EffectivePolicyView.class);

    /** Longest time that a page spends on the due times of its streams: guards may make each of them a longer read. */
    private static final Duration NEXT_DUE = Duration.ofMillis(300);

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ReadRoute.forCaller(StreamView.LIST, this::list),
                ReadRoute.forCaller(StreamView.SHOW, (ctx, one) -> show(ctx, one.stream())),
                ReadRoute.of(POLICY, one -> effective(one.stream())));
    }

    private Page list(Context ctx, StreamView.Query query) {
        String prefix = Objects.requireNonNullElse(query.prefix(), "");
        String after = query.after() == null ? null : query.after().value();
        StreamQuery wanted = new StreamQuery(prefix, query.namespace(), after, query.limit());
        return merged(gathering.gather(ctx, Page.class, share -> page(wanted, share)), query.limit());
    }

    private Page page(StreamQuery query, Gathering.Share share) {
        EventQueries queries = reads.of(share.isOfCopy());
        StreamPage page = queries.streams(query, share.partitions());
        long endNanos = System.nanoTime() + NEXT_DUE.toNanos();
        return new Page(
                page.streams().stream()
                        .map(usage -> view(usage, stream -> nextDue(stream, queries, endNanos)))
                        .toList(),
                page.next(),
                List.of(),
                reads.stale(share.isOfCopy(), share.partitions()));
    }

    /**
     * Merges the pages of all instances and keeps the first streams. An instance that has more streams has filled its
     * page.
     */
    private static Page merged(Gathering.Gathered<Page> gathered, int limit) {
        List<StreamView> all = gathered.answers().stream()
                .flatMap(page -> page.streams().stream())
                .sorted(BY_NAME)
                .toList();
        List<StreamView> first = all.subList(0, Math.min(all.size(), limit));
        boolean isMore = all.size() > limit || gathered.answers().stream().anyMatch(page -> page.next() != null);
        return new Page(
                first,
                isMore && !first.isEmpty() ? first.get(first.size() - 1).stream() : null,
                gathered.unanswered(),
                gathered.answers().stream()
                        .flatMap(page -> Objects.requireNonNullElse(page.stale(), List.<StaleView>of()).stream())
                        .toList());
    }

    private StreamView.Detail show(Context ctx, StreamName stream) {
        StreamUsage usage = reads.of(ctx).usage(stream).orElseThrow(() -> missing(ctx, stream));
        StreamStanding standing = reads.of(ctx).standing(stream).orElseThrow(() -> missing(ctx, stream));
        EndsInWaiting waiting = reads.of(ctx).endsInWaiting(stream);
        return new StreamView.Detail(
                view(usage, reads.of(ctx)::nextDue),
                StreamView.Standing.of(standing, waiting),
                effective(stream),
                reads.stale(ctx, stream));
    }

    private StreamView view(StreamUsage usage, Function<StreamName, NextDue> nextDue) {
        StreamName stream = usage.stream();
        return StreamView.of(usage, policies.current().isHeld(stream), nextDue.apply(stream));
    }

    private static NextDue nextDue(StreamName stream, EventQueries queries, long endNanos) {
        return System.nanoTime() - endNanos < 0 ? queries.nextDue(stream) : NextDue.UNKNOWN;
    }

    private EffectivePolicyView effective(StreamName stream) {
        return EffectivePolicyView.of(policies.current().effective(stream));
    }

    /** Says why an end that was sent has made no stream (O-10). */
    private RuntimeException missing(Context ctx, StreamName stream) {
        EndsInWaiting waiting = reads.of(ctx).endsInWaiting(stream);
        String ends = waiting.ends() == 0 ? "" : "; " + waiting.sentence();
        return reads.notFound(ctx, stream, noStream(stream) + ends);
    }

    static String noStream(StreamName stream) {
        return "there is no stream '" + stream + "'";
    }
}
