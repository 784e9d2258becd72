package dev.ebb.runtime.reads;

import dev.ebb.api.http.Audience;
import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.ExecutionUsage;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.port.EventQueries;
import dev.ebb.port.ReadEvent;
import dev.ebb.runtime.streams.PartitionStores;
import dev.ebb.store.due.SoonestDue;
import dev.ebb.store.read.StatusFilter;
import dev.ebb.store.read.StreamContext;
import dev.ebb.topology.wire.StreamPartition;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the stores of this instance, and hides events that are due under the policies in force (M-17). */
public record LocalEventQueries(PartitionStores stores, int partitions, Supplier<PolicySet> policies, Clock clock)
        implements EventQueries {

    private static final Comparator<StreamUsage> BY_NAME = Comparator.comparing(
            usage -> usage.stream().value().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    /** Longest time of a search through all streams of a namespace. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Longest time of one page of a search for events. */
    private static final Duration SEARCH = Duration.ofSeconds(2);

    private static final EventPage NOTHING = new EventPage(List.of(), null);

    @Override
    public StreamPage streams(StreamQuery query, Collection<Integer> of) {
        String prefix = prefixOf(query);
        if (prefix == null) {
            return new StreamPage(List.of(), null);
        }
        List<StreamUsage> found = new ArrayList<>();
        for (int partition : of) {
            Audience.require();
            found.addAll(stores.read(
                    partition, store -> store.streams(query.after(), prefix, query.namespace(), query.limit() + 1)));
        }
        found.sort(BY_NAME);
        List<StreamUsage> page = found.subList(0, Math.min(found.size(), query.limit()));
        String next =
                found.size() > page.size() ? page.get(page.size() - 1).stream().value() : null;
        return new StreamPage(page, next);
    }

    @Override
    public Optional<StreamUsage> usage(StreamName stream) {
        return stores.read(partitionOf(stream), store -> store.usage(stream));
    }

    @Override
    public NextDue nextDue(StreamName stream) {
        PolicySet inForce = policies.get();
        EffectivePolicy policy = inForce.effective(stream);
        if (inForce.isHeld(stream) || !policy.isEnforced()) {
            return NextDue.NONE;
        }
        return stores.read(partitionOf(stream), store -> store.context(stream)
                .filter(context -> !context.hasNothingDue(policy, RetentionDecider.NEVER - 1))
                .map(context -> soonest(context, policy))
                .orElse(NextDue.NONE));
    }

    /** Finds the event that goes first; where its guard takes a read of all events that move, it is not looked for. */
    private static NextDue soonest(StreamContext stream, EffectivePolicy policy) {
        if (stream.isMoving() && !policy.keepLast().value().isNone()) {
            return NextDue.UNKNOWN;
        }
        SoonestDue soonest = new SoonestDue(1, null, new PageBudget()::spend);
        stream.visitDue(policy, 0, RetentionDecider.NEVER - 1, null, soonest);
        if (soonest.isBrokenOff()) {
            return NextDue.UNKNOWN;
        }
        return soonest.found().stream()
                .map(found -> new NextDue(found.mark().lastMs(), true))
                .findFirst()
                .orElse(NextDue.NONE);
    }

    @Override
    public Optional<StreamStanding> standing(StreamName stream) {
        return stores.read(partitionOf(stream), store -> store.standing(stream));
    }

    @Override
    public EndsInWaiting endsInWaiting(StreamName stream) {
        return stores.read(partitionOf(stream), store -> store.endsInWaiting(stream));
    }

    @Override
    public List<ExecutionUsage> executions(StreamName stream, long below, int limit) {
        return stores.read(partitionOf(stream), store -> store.executions(stream, below, limit));
    }

    @Override
    public ExpiringPage expiring(ExpiringQuery query, Collection<Integer> of) {
        return new ExpiringInNamespace(
                        stores, partitions, policies.get(), query, clock.millis(), PATIENCE, System::nanoTime)
                .page(of);
    }

    @Override
    public FoundPage search(SearchQuery query) {
        long endNanos = System.nanoTime() + SEARCH.toNanos();
        return new MatchingEvents(
                        stores,
                        partitions,
                        policies.get(),
                        query,
                        clock.millis(),
                        () -> System.nanoTime() - endNanos < 0)
                .page();
    }

    @Override
    public EventPage events(StreamName stream, EventQuery query) {
        long now = clock.millis();
        PolicySet inForce = policies.get();
        StatusFilter filter =
                new StatusFilter(query.status(), policies.get().settings().statuses());
        if (query.isOfDueOnes() && inForce.isHeld(stream)) {
            return NOTHING;
        }
        return stores.read(partitionOf(stream), store -> store.context(stream)
                .map(context -> query.isOfDueOnes()
                        ? new ExpiringEvents(context, inForce.effective(stream), now).page(query, filter)
                        : new ListedEvents(context, inForce, now).page(query, filter))
                .orElse(NOTHING));
    }

    @Override
    public Optional<ReadEvent> event(StreamName stream, EventId id) {
        long now = clock.millis();
        PolicySet inForce = policies.get();
        // A stream that disappears between the two reads takes the event with it.
        return stores.read(partitionOf(stream), store -> store.find(stream, id).flatMap(event -> store.context(stream)
                .map(context -> new ListedEvents(context, inForce, now).view(event))));
    }

    private int partitionOf(StreamName stream) {
        return StreamPartition.of(stream, partitions);
    }

    /**
     * Returns the prefix of the names; null if no name can have it. Streams of the default namespace share no prefix.
     */
    private static @Nullable String prefixOf(StreamQuery query) {
        String namespace = query.namespace();
        if (namespace == null || namespace.equals(StreamName.DEFAULT_NAMESPACE)) {
            return query.prefix();
        }
        String ofNamespace = namespace + "/";
        if (ofNamespace.startsWith(query.prefix())) {
            return ofNamespace;
        }
        return query.prefix().startsWith(ofNamespace) ? query.prefix() : null;
    }
}
