package dev.ebb.api.events;

import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.peers.Gathering;
import dev.ebb.api.peers.Reads;
import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.port.EventQueries.StreamPage;
import dev.ebb.port.EventQueries.StreamQuery;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.wire.EffectivePolicyView;
import dev.ebb.wire.StaleView;
import dev.ebb.wire.events.StreamView;
import dev.ebb.wire.events.StreamView.Page;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Streams: their contents and the policies in force for them. */
public final class StreamResource implements ApiResource {

    private static final Comparator<StreamView> BY_NAME =
            Comparator.comparing(view -> view.stream().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final Reads reads;
    private final PolicyAdmin policies;
    private final Gathering gathering;

    public StreamResource(Reads reads, PolicyAdmin policies, Gathering gathering) {
        this.reads = reads;
        this.policies = policies;
        this.gathering = gathering;
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get("/v1/streams", this::list, "Lists the streams by name, with the size of their contents.")
                        .query("namespace", "Namespace of the streams. Default: all.")
                        .query("prefix", "Prefix of the names. Default: all names.")
                        .paged()
                        .mayBeStale()
                        .answers(StreamView.Page.class),
                ApiRoute.get(
                                "/v1/streams/{stream}",
                                this::get,
                                "Shows the contents of a stream and the policy in force for it.")
                        .mayBeStale()
                        .answers(StreamView.Detail.class),
                ApiRoute.get("/v1/streams/{stream}/policy", this::policy, "Shows the policy in force for a stream.")
                        .answers(EffectivePolicyView.class));
    }

    private void list(Context ctx, QueryParams params) {
        StreamQuery query = new StreamQuery(
                params.text("prefix", ""), params.text("namespace"), params.streamName("after"), params.limit());
        params.done();
        ApiJson.answer(ctx, merged(gathering.gather(ctx, Page.class, share -> page(query, share)), query.limit()));
    }

    private Page page(StreamQuery query, Gathering.Share share) {
        StreamPage page = reads.of(share.isOfCopy()).streams(query, share.partitions());
        return new Page(
                page.streams().stream().map(StreamView::of).toList(),
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

    private void get(Context ctx, QueryParams params) {
        params.done();
        StreamName stream = PathNames.stream(ctx);
        StreamUsage usage = reads.of(ctx).usage(stream).orElseThrow(() -> missing(ctx, stream));
        StreamStanding standing = reads.of(ctx).standing(stream).orElseThrow(() -> missing(ctx, stream));
        EndsInWaiting waiting = reads.of(ctx).endsInWaiting(stream);
        ApiJson.answer(
                ctx,
                new StreamView.Detail(
                        StreamView.of(usage),
                        StreamView.Standing.of(standing, waiting),
                        effective(stream),
                        reads.stale(ctx, stream)));
    }

    /** Answers with the effective policy of a stream, also of one that does not exist yet. */
    private void policy(Context ctx, QueryParams params) {
        params.done();
        ApiJson.answer(ctx, effective(PathNames.stream(ctx)));
    }

    private EffectivePolicyView effective(StreamName stream) {
        return EffectivePolicyView.of(policies.current().effective(stream));
    }

    /** Says why an end that was sent has made no stream (O-10). */
    private RuntimeException missing(Context ctx, StreamName stream) {
        EndsInWaiting waiting = reads.of(ctx).endsInWaiting(stream);
        ProblemException problem = waiting.ends() == 0
                ? noStream(stream)
                : ProblemException.notFound("there is no stream '" + stream + "'; " + waiting.sentence());
        return reads.notFound(ctx, stream, problem);
    }

    static ProblemException noStream(StreamName stream) {
        return ProblemException.notFound("there is no stream '" + stream + "'");
    }
}
