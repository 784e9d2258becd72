package dev.ebb.runtime.reads;

import dev.ebb.domain.policy.PolicySet;
import dev.ebb.port.DueForecast;
import dev.ebb.port.NotReadyException;
import dev.ebb.runtime.streams.PartitionStores;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/**
 * Counts events that come due in the partitions of this instance on request: reads one record of each stream and, for a
 * stream with something due, its due events.
 */
public final class LocalDueForecast implements DueForecast, AutoCloseable {

    private static final Duration PATIENCE = StandingCount.PATIENCE;

    private final Sources sources;
    private final StandingCount<Outlook> outlook;

    /** @param counter runs one count at a time; closed with this object */
    public LocalDueForecast(Sources sources, Clock clock, ExecutorService counter) {
        this(sources, clock, counter, PATIENCE);
    }

    /** @param patience longest wait of a caller for a new count */
    LocalDueForecast(Sources sources, Clock clock, ExecutorService counter, Duration patience) {
        this.sources = sources;
        this.outlook = new StandingCount<>(this::count, clock, counter, patience);
    }

    /**
     * Sources of the counts.
     *
     * @param local the partitions that this instance has
     */
    public record Sources(PartitionStores stores, Supplier<Collection<Integer>> local, Supplier<PolicySet> policies) {}

    @Override
    public Outlook outlook() {
        return outlook.get()
                .orElseThrow(() -> new NotReadyException("the coming deletions are still being counted", PATIENCE));
    }

    @Override
    public void close() {
        outlook.close();
    }

    private Outlook count(long nowMs) {
        return new DueCount(sources, nowMs, outlook::isClosed).run();
    }
}
