package dev.ebb.parking;

import dev.ebb.api.access.Role;
import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.api.peers.Gathering;
import dev.ebb.api.peers.Gathering.Gathered;
import dev.ebb.api.peers.Gathering.Share;
import dev.ebb.api.peers.PeerQuestion;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.ParkedQueries;
import dev.ebb.port.ParkedStreamView;
import dev.ebb.port.PolicyAdmin;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Shows parked records, and drops policies that cannot be read. */
public final class ParkedResource implements ApiResource {

    private static final Duration PATIENCE = Duration.ofSeconds(12);

    private final Gathering gathering;
    private final ParkedQueries parked;
    private final PolicyAdmin policies;

    public ParkedResource(ApiPorts ports, Gathering gathering) {
        this.gathering = gathering;
        this.parked = ports.insight().parked();
        this.policies = ports.policies();
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ReadRoute.forCaller(ParkedPage.LIST, (ctx, query) -> list(ctx, query.limit())),
                ApiRoute.post(
                                Role.ADMIN,
                                "/v1/policies/drop",
                                this::drop,
                                "Drops a policy or hold that cannot be read.")
                        .query("key", "The key of the record: the scope, or hold:<case>.")
                        .query("version", "Offset that the record must have. Default: any.")
                        .query("actor", "Author of the drop.")
                        .query("reason", "Reason, kept with the dropped record.")
                        .answers(202, Sent.class));
    }

    /**
     * A request that was sent; the status shows its outcome.
     *
     * @param key the key of the records to drop
     */
    record Sent(String key) {}

    private ParkedPage list(Context ctx, int limit) {
        PeerQuestion.allow(ctx, PATIENCE);
        Gathered<ParkedPage> gathered = gathering.gather(ctx, ParkedPage.class, share -> listed(share, limit));
        List<ParkedStreamView> all = gathered.answers().stream()
                .flatMap(answer -> answer.parked().stream())
                .sorted(ParkedStreamView.LONGEST_FIRST)
                .toList();
        boolean isMore = all.size() > limit || gathered.answers().stream().anyMatch(ParkedPage::isMore);
        return new ParkedPage(all.subList(0, Math.min(all.size(), limit)), isMore, gathered.unanswered());
    }

    private ParkedPage listed(Share share, int limit) {
        List<ParkedStreamView> found = new ArrayList<>();
        share.partitions().forEach(partition -> found.addAll(parked.parked(partition, limit + 1)));
        found.sort(ParkedStreamView.LONGEST_FIRST);
        return new ParkedPage(
                List.copyOf(found.subList(0, Math.min(found.size(), limit))), found.size() > limit, List.of());
    }

    private void drop(Context ctx, QueryParams params) {
        String key = params.text("key", "");
        Long version = params.number("version");
        String actor = Guard.actor(ctx, params.text("actor", ""));
        String reason = params.text("reason", "");
        params.done();
        if (key.isBlank() || reason.isBlank()) {
            throw ProblemException.badRequest(key.isBlank() ? "key is missing" : "reason is missing");
        }
        policies.dropUnread(key, version == null ? -1 : version, actor, reason);
        ctx.status(202);
        ApiJson.answer(ctx, new Sent(key));
    }
}
