package dev.ebb.topology.observe;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;

/** Counts what happens in one task and passes it on to the observer of the instance. Not thread-safe. */
public final class TaskCounters {

    private final RetentionObserver observer;
    private long ingested;
    private long updated;
    private long orphaned;
    private long late;
    private long rejected;
    private long rekeyed;

    public TaskCounters(RetentionObserver observer) {
        this.observer = observer;
    }

    public void ingested(StreamName stream, boolean isNew, long delayMs) {
        ingested++;
        observer.ingested(stream, isNew, delayMs);
    }

    public void updated(StreamName stream) {
        updated++;
        observer.updated(stream);
    }

    public void orphaned(StreamName stream) {
        orphaned++;
        observer.orphaned(stream);
    }

    public void late(StreamName stream, RetentionObserver.LateRecord record) {
        late++;
        observer.late(stream, record);
    }

    public void rejected(RejectReason reason) {
        rejected++;
        observer.rejected(reason);
    }

    public void rekeyed() {
        rekeyed++;
        observer.rekeyed();
    }

    public TaskStatus.Counts snapshot() {
        return new TaskStatus.Counts(ingested, updated, orphaned, late, rejected, rekeyed);
    }
}
