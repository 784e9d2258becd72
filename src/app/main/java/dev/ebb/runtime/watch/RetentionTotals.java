package dev.ebb.runtime.watch;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.port.StatusView;
import dev.ebb.topology.observe.RetentionObserver;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Totals of the work of this instance since its start, over all its tasks. Work that a failed transaction undid is
 * counted again when it is repeated. Thread-safe.
 */
final class RetentionTotals implements RetentionObserver {

    private final LongAdder ingested = new LongAdder();
    private final LongAdder updated = new LongAdder();
    private final LongAdder orphaned = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder rekeyed = new LongAdder();
    private final Map<RemovalCause, Removed> removed = new EnumMap<>(RemovalCause.class);

    /** Creates totals that count from zero. */
    public RetentionTotals() {
        for (RemovalCause cause : RemovalCause.values()) {
            removed.put(cause, new Removed(new LongAdder(), new LongAdder()));
        }
    }

    /** Returns the present sums. */
    StatusView.CountsView view() {
        Map<String, StatusView.RemovedView> tallies = new TreeMap<>();
        removed.forEach((cause, sums) -> {
            if (sums.events().sum() > 0) {
                tallies.put(
                        cause.name(),
                        new StatusView.RemovedView(
                                sums.events().sum(), sums.bytes().sum()));
            }
        });
        return new StatusView.CountsView(
                ingested.sum(), updated.sum(), orphaned.sum(), late.sum(), rejected.sum(), rekeyed.sum(), tallies);
    }

    @Override
    public void ingested(StreamName stream, boolean isNew, long delayMs) {
        ingested.increment();
    }

    @Override
    public void updated(StreamName stream) {
        updated.increment();
    }

    @Override
    public void orphaned(StreamName stream) {
        orphaned.increment();
    }

    @Override
    public void late(StreamName stream, LateRecord record) {
        late.increment();
    }

    @Override
    public void rejected(RejectReason reason) {
        rejected.increment();
    }

    @Override
    public void rekeyed() {
        rekeyed.increment();
    }

    @Override
    public void deleted(StreamName stream, RemovalCause cause, RemovalRule rule, long bytes, long latenessMs) {
        Removed sums = removed.get(cause);
        if (sums != null) {
            sums.events().increment();
            sums.bytes().add(bytes);
        }
    }

    private record Removed(LongAdder events, LongAdder bytes) {}
}
