package dev.ebb.instance;

import dev.ebb.api.access.Role;
import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.Audience;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.api.peers.Gathering;
import dev.ebb.api.peers.Gathering.Gathered;
import dev.ebb.api.peers.PeerAccess;
import dev.ebb.api.peers.PeerClient;
import dev.ebb.api.peers.PeerClient.Sign;
import dev.ebb.api.peers.PeerPorts;
import dev.ebb.instance.GroupView.CopyView;
import dev.ebb.instance.GroupView.InstanceView;
import dev.ebb.port.Membership;
import dev.ebb.port.Membership.Heartbeat;
import dev.ebb.port.Membership.Member;
import dev.ebb.port.Placement;
import dev.ebb.port.Replicas;
import dev.ebb.port.StatusSource;
import dev.ebb.port.StatusView;
import dev.ebb.wire.UnansweredView;
import io.javalin.http.Context;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists the instances, and removes a dead one from the group, so that its partitions need not wait for its session. */
public final class InstanceResource implements ApiResource {

    private static final Logger LOG = LoggerFactory.getLogger(InstanceResource.class);
    private static final long PAUSE_MS = 500;

    private final Gathering gathering;
    private final PeerClient client;
    private final Placement placement;
    private final Replicas replicas;
    private final Membership membership;
    private final StatusSource status;
    private final Clock clock;

    /** @param clock the time of this instance, which the guard of the clock keeps near that of the broker */
    public InstanceResource(Gathering gathering, PeerClient client, PeerPorts peers, StatusSource status, Clock clock) {
        this.gathering = gathering;
        this.client = client;
        this.placement = peers.placement();
        this.replicas = peers.replicas();
        this.membership = peers.membership();
        this.status = status;
        this.clock = clock;
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ReadRoute.forCaller(GroupView.LIST, (ctx, all) -> new GroupView(list(ctx))),
                ApiRoute.delete(
                                Role.ADMIN,
                                "/v1/instances/{instance}",
                                this::remove,
                                "Removes a dead instance from the group, so that others take over its partitions.")
                        .flag("dryRun", "Only find out whether the instance is dead.")
                        .query("actor", "Author of the removal, for the log.")
                        .query("reason", "Reason, for the log.")
                        .answers(RemovalView.class));
    }

    private List<InstanceView> list(Context ctx) {
        Gathered<GroupView> gathered =
                gathering.all(ctx, GroupView.LIST.path(), GroupView.class, () -> new GroupView(List.of(self())));
        List<InstanceView> answered = gathered.answers().stream()
                .flatMap(answer -> answer.instances().stream())
                .toList();
        return PeerAccess.isForwarded(ctx) ? answered : whole(answered, gathered.unanswered());
    }

    private List<InstanceView> whole(List<InstanceView> answered, List<UnansweredView> unanswered) {
        Map<String, Heartbeat> heartbeats = membership.heartbeats();
        List<InstanceView> all = new ArrayList<>();
        answered.forEach(one -> all.add(one.heard(at(heartbeats.get(one.instance())))));
        unanswered.forEach(one -> all.add(silent(one, heartbeats.get(one.instance()))));
        for (Member member : membership.members()) {
            if (all.stream().noneMatch(one -> member.name().equals(one.member())) && member.isFixed()) {
                all.add(unknown(member, heartbeats));
            }
        }
        all.sort(Comparator.comparing(InstanceView::instance));
        return all;
    }

    private InstanceView self() {
        StatusView own = status.status();
        List<CopyView> copies = partitions(placement.self()).stream()
                .map(partition -> new CopyView(partition, boxed(replicas.lag(partition))))
                .toList();
        List<Integer> kept = own.partitions().stream()
                .map(StatusView.PartitionView::partition)
                .toList();
        return new InstanceView(
                placement.self(), membership.self(), own.state(), kept, copies, own.startedAt(), null, null);
    }

    private InstanceView silent(UnansweredView one, @Nullable Heartbeat last) {
        return new InstanceView(
                one.instance(),
                last == null ? null : last.member(),
                InstanceView.NO_ANSWER,
                one.partitions(),
                partitions(one.instance()).stream()
                        .map(partition -> new CopyView(partition, null))
                        .toList(),
                null,
                at(last),
                one.reason());
    }

    private static InstanceView unknown(Member member, Map<String, Heartbeat> heartbeats) {
        Map.@Nullable Entry<String, Heartbeat> last = heartbeats.entrySet().stream()
                .filter(heartbeat -> member.name().equals(heartbeat.getValue().member()))
                .max(Comparator.comparing(heartbeat -> heartbeat.getValue().at()))
                .orElse(null);
        return new InstanceView(
                last == null ? "" : last.getKey(),
                member.name(),
                InstanceView.NO_ANSWER,
                List.copyOf(member.partitions()),
                List.of(),
                null,
                last == null ? null : last.getValue().at(),
                "this instance does not know it yet, or no longer");
    }

    /** Returns the partitions of which an instance has a copy. */
    private List<Integer> partitions(String address) {
        return IntStream.range(0, placement.partitions())
                .filter(partition -> placement.followers(partition).contains(address))
                .boxed()
                .toList();
    }

    private void remove(Context ctx, QueryParams params) {
        String id = PathNames.text(ctx, "instance");
        boolean isDryRun = params.flag("dryRun");
        String actor = Guard.actor(ctx, params.text("actor", ""));
        String reason = params.text("reason", "");
        params.done();
        InstanceView named = named(list(ctx), id);
        Member member = member(named, id);
        Death death = awaitCertainty(named);
        if (!death.isDead()) {
            throw new ProblemException(
                    ProblemKind.CONFLICT,
                    id + " is alive: " + death.evidence()
                            + ". To take a living instance out, run 'ebb drain' at it; a stopped one needs neither");
        }
        List<Integer> withoutCopy = member.partitions().stream()
                .filter(partition ->
                        placement.followers(partition).stream().allMatch(follower -> follower.equals(named.instance())))
                .toList();
        if (!isDryRun) {
            membership.remove(member);
            LOG.atWarn()
                    .addKeyValue("instance", named.instance())
                    .addKeyValue("member", member.name())
                    .addKeyValue("partitions", member.partitions())
                    .addKeyValue("evidence", death.evidence())
                    .addKeyValue("actor", actor)
                    .addKeyValue("reason", reason)
                    .log("a dead instance was removed from the group");
        }
        ApiJson.answer(
                ctx,
                new RemovalView(
                        named.instance(),
                        member.name(),
                        List.copyOf(member.partitions()),
                        withoutCopy,
                        death.evidence(),
                        !isDryRun));
    }

    private static InstanceView named(List<InstanceView> all, String id) {
        return all.stream().filter(one -> one.isCalled(id)).findFirst().orElseThrow(() -> {
            String known = all.stream()
                    .map(one -> one.member() == null ? one.instance() : one.member())
                    .collect(Collectors.joining(", "));
            return ProblemException.notFound("no instance '" + id + "' is in the group; these are: " + known);
        });
    }

    private Member member(InstanceView named, String id) {
        if (placement.self().equals(named.instance())) {
            throw new ProblemException(
                    ProblemKind.CONFLICT,
                    id + " is alive: it answers this request. To take it out, run 'ebb drain' at it");
        }
        return membership.members().stream()
                .filter(member -> member.isFixed() && member.name().equals(named.member()))
                .findFirst()
                .orElseThrow(() -> new ProblemException(
                        ProblemKind.CONFLICT,
                        id + " has no fixed name in the group (group.instance.id), or has left it: the broker removes"
                                + " such an instance by itself when its session times out"));
    }

    /** Watches the heartbeats of a silent instance until there is a new one, or none has come for long enough. */
    private Death awaitCertainty(InstanceView named) {
        Sign sign = named.instance().isEmpty() ? Sign.SILENCE : client.sign(named.instance());
        Death first = Death.of(
                named.instance(), sign, named.lastHeartbeat(), clock.instant(), membership.heartbeatInterval());
        Death death = first;
        while (!death.isCertain()) {
            pause();
            @Nullable Instant last = at(membership.heartbeats().get(named.instance()));
            if (last != null && last.isAfter(named.lastHeartbeat())) {
                return new Death(true, false, "it still sends heartbeats to Kafka, though " + first.evidence());
            }
            death = Death.of(named.instance(), sign, last, clock.instant(), membership.heartbeatInterval());
        }
        return death;
    }

    private static void pause() {
        Audience.require();
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static @Nullable Instant at(@Nullable Heartbeat heartbeat) {
        return heartbeat == null ? null : heartbeat.at();
    }

    private static @Nullable Long boxed(OptionalLong value) {
        return value.isPresent() ? (Long) value.getAsLong() : null;
    }
}
