package dev.ebb.runtime.reads;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Fate;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.port.EventQueries.ExpiringPage;
import dev.ebb.port.EventQueries.ExpiringQuery;
import dev.ebb.port.EventQueries.MarkedEvent;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.ReadEvent;
import dev.ebb.runtime.streams.PartitionStores;
import dev.ebb.store.due.SoonestDue;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.read.StreamContext;
import dev.ebb.topology.wire.StreamPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One page of events that age and own TTLs take from a namespace within a time, the soonest first. The search reads one
 * record of each stream of the namespace, and from a stream with something due no more events than the page can show;
 * meanwhile it keeps only the marks of one page. Used once.
 */
final class ExpiringInNamespace {

    /** Size of events at which the page ends, with the event that reaches it. */
    private static final long PAGE_BYTES = 8L << 20;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final PartitionStores stores;
    private final int partitions;
    private final PolicySet policies;
    private final ExpiringQuery query;
    private final long nowMs;
    private final SoonestDue soonest;
    private final Map<StreamName, Optional<StreamContext>> contexts = new HashMap<>();

    /**
     * @param patience longest time of the search
     * @param nanoClock a clock that never goes back, in nanoseconds
     */
    ExpiringInNamespace(
            PartitionStores stores,
            int partitions,
            PolicySet policies,
            ExpiringQuery query,
            long nowMs,
            Duration patience,
            LongSupplier nanoClock) {
        this.stores = stores;
        this.partitions = partitions;
        this.policies = policies;
        this.query = query;
        this.nowMs = nowMs;
        long startNanos = nanoClock.getAsLong();
        // One event more than the page shows reveals whether others follow.
        this.soonest = new SoonestDue(
                query.limit() + 1, query.after(), () -> nanoClock.getAsLong() - startNanos < patience.toNanos());
    }

    ExpiringPage page(Collection<Integer> of) {
        for (int partition : of) {
            stores.read(partition, store -> {
                search(store);
                return partition;
            });
            if (soonest.isBrokenOff()) {
                throw new NotReadyException(
                        "namespace '" + query.namespace() + "' has too many events to sort by time at once; ask for"
                                + " one stream with expiring-within, or for the counts of the namespace",
                        RETRY_AFTER);
            }
        }
        return page(soonest.found());
    }

    private void search(ReadOnlyEventStore store) {
        for (StreamContext stream : store.contexts(null, query.namespace())) {
            if (!soonest.goesOn()) {
                return;
            }
            search(stream);
        }
    }

    private void search(StreamContext stream) {
        EffectivePolicy policy = policies.effective(stream.stream());
        long untilMs = soonest.lastWantedMs(untilMs());
        if (!policies.isHeld(stream.stream()) && !stream.hasNothingDue(policy, untilMs)) {
            stream.visitDue(policy, fromMs(policy), untilMs, null, soonest);
        }
    }

    private long untilMs() {
        return nowMs + Math.min(query.withinMs(), RetentionDecider.NEVER - 1 - nowMs);
    }

    /** Readers see due events only where the policy only warns, or the query includes expired events. */
    private long fromMs(EffectivePolicy policy) {
        return query.includeExpired() || !policy.isEnforced() ? 0 : nowMs;
    }

    private ExpiringPage page(List<SoonestDue.Found> found) {
        List<MarkedEvent> shown = new ArrayList<>();
        long bytes = 0;
        int looked = 0;
        while (looked < Math.min(found.size(), query.limit()) && bytes < PAGE_BYTES) {
            SoonestDue.Found one = found.get(looked++);
            MarkedEvent event = read(one);
            if (event != null) {
                shown.add(event);
                bytes += event.event().event().sizeBytes();
            }
        }
        return new ExpiringPage(
                shown, looked < found.size() ? found.get(looked - 1).mark() : null);
    }

    /** Returns null if the event has gone since it was found, or now goes at another time. */
    private @Nullable MarkedEvent read(SoonestDue.Found found) {
        StreamName name = found.mark().stream();
        return stores.read(StreamPartition.of(name, partitions), store -> {
            StoredEvent event = store.find(name, found.id()).orElse(null);
            StreamContext stream =
                    contexts.computeIfAbsent(name, store::context).orElse(null);
            return event == null || stream == null ? null : seen(found, stream, event);
        });
    }

    private @Nullable MarkedEvent seen(SoonestDue.Found found, StreamContext stream, StoredEvent event) {
        EffectivePolicy policy = policies.effective(stream.stream());
        long lastMs = found.mark().lastMs();
        if (stream.goesAtMs(event, policy) != lastMs) {
            return null;
        }
        boolean isExpired = policy.isEnforced() && RetentionDecider.isPast(lastMs, nowMs);
        return new MarkedEvent(found.mark(), new ReadEvent(event, lastMs, isExpired, Fate.ofDue(policy)));
    }
}
