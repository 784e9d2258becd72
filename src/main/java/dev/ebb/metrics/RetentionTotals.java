package dev.ebb.metrics;

import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * What this instance has done since it started, whichever tasks it had. What a failed transaction undid is counted again
 * when it is repeated. Thread-safe.
 */
public final class RetentionTotals {

    private final LongAdder ingested = new LongAdder();
    private final LongAdder updated = new LongAdder();
    private final LongAdder orphaned = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder rekeyed = new LongAdder();
    private final Map<RemovalCause, Removed> removed = new EnumMap<>(RemovalCause.class);

    RetentionTotals() {
        for (RemovalCause cause : RemovalCause.values()) {
            removed.put(cause, new Removed(new LongAdder(), new LongAdder()));
        }
    }

    /** Events taken in, repeated ones included. */
    public long ingested() {
        return ingested.sum();
    }

    /** Updates that changed an event. */
    public long updated() {
        return updated.sum();
    }

    /** Updates that found no event. */
    public long orphaned() {
        return orphaned.sum();
    }

    /** Records that were produced before a command deleted their stream. */
    public long late() {
        return late.sum();
    }

    /** Records that went to the rejected topic. */
    public long rejected() {
        return rejected.sum();
    }

    /** Records that were sent to the partition of their stream. */
    public long rekeyed() {
        return rekeyed.sum();
    }

    /** What retention removed; causes without a removal are left out. */
    public Map<RemovalCause, Tally> removed() {
        Map<RemovalCause, Tally> tallies = new EnumMap<>(RemovalCause.class);
        removed.forEach((cause, sums) -> {
            if (sums.events().sum() > 0) {
                tallies.put(cause, new Tally(sums.events().sum(), sums.bytes().sum()));
            }
        });
        return tallies;
    }

    void addIngested() {
        ingested.increment();
    }

    void addUpdated() {
        updated.increment();
    }

    void addOrphaned() {
        orphaned.increment();
    }

    void addLate() {
        late.increment();
    }

    void addRejected() {
        rejected.increment();
    }

    void addRekeyed() {
        rekeyed.increment();
    }

    void addRemoved(RemovalCause cause, long bytes) {
        Removed sums = removed.get(cause);
        if (sums != null) {
            sums.events().increment();
            sums.bytes().add(bytes);
        }
    }

    private record Removed(LongAdder events, LongAdder bytes) {}
}
