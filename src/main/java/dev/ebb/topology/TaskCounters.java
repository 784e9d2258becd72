package dev.ebb.topology;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;

/** Counts what happens in one task and passes it on to the observer of the instance. Not thread-safe. */
final class TaskCounters {

    private final RetentionObserver observer;
    private long ingested;
    private long updated;
    private long orphaned;
    private long late;
    private long rejected;
    private long rekeyed;

    TaskCounters(RetentionObserver observer) {
        this.observer = observer;
    }

    void ingested(StreamName stream, boolean isNew, long delayMs) {
        ingested++;
        observer.ingested(stream, isNew, delayMs);
    }

    void updated(StreamName stream) {
        updated++;
        observer.updated(stream);
    }

    void orphaned(StreamName stream) {
        orphaned++;
        observer.orphaned(stream);
    }

    void late(StreamName stream, RetentionObserver.LateRecord record) {
        late++;
        observer.late(stream, record);
    }

    void rejected(RejectReason reason) {
        rejected++;
        observer.rejected(reason);
    }

    void rekeyed() {
        rekeyed++;
        observer.rekeyed();
    }

    TaskStatus.Counts snapshot() {
        return new TaskStatus.Counts(ingested, updated, orphaned, late, rejected, rekeyed);
    }
}
