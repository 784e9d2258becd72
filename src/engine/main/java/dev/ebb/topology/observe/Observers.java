package dev.ebb.topology.observe;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.retention.SweepReport;
import java.util.List;
import java.util.function.Consumer;

/** Observer that notifies several others, each in turn. Thread-safe. */
public final class Observers implements RetentionObserver {

    private final RetentionObserver[] observers;

    /** @param observers notified in this order */
    public Observers(List<? extends RetentionObserver> observers) {
        this.observers = observers.toArray(RetentionObserver[]::new);
    }

    @Override
    public void ingested(StreamName stream, boolean isNew, long delayMs) {
        each(observer -> observer.ingested(stream, isNew, delayMs));
    }

    @Override
    public void updated(StreamName stream) {
        each(observer -> observer.updated(stream));
    }

    @Override
    public void orphaned(StreamName stream) {
        each(observer -> observer.orphaned(stream));
    }

    @Override
    public void late(StreamName stream, LateRecord record) {
        each(observer -> observer.late(stream, record));
    }

    @Override
    public void rejected(RejectReason reason) {
        each(observer -> observer.rejected(reason));
    }

    @Override
    public void recordFailed(String topic, int partition, long offset, Throwable failure) {
        each(observer -> observer.recordFailed(topic, partition, offset, failure));
    }

    @Override
    public void unsent(String topic) {
        each(observer -> observer.unsent(topic));
    }

    @Override
    public void rekeyed() {
        each(observer -> observer.rekeyed());
    }

    @Override
    public void returned(StreamName stream, long bytes) {
        each(observer -> observer.returned(stream, bytes));
    }

    @Override
    public void checkpointed() {
        each(observer -> observer.checkpointed());
    }

    @Override
    public void ttlRefused(StreamName stream) {
        each(observer -> observer.ttlRefused(stream));
    }

    @Override
    public void deleted(StreamName stream, RemovalCause cause, RemovalRule rule, long bytes, long latenessMs) {
        each(observer -> observer.deleted(stream, cause, rule, bytes, latenessMs));
    }

    @Override
    public void swept(SweepReport report) {
        each(observer -> observer.swept(report));
    }

    @Override
    public void warned(int partition, long events) {
        each(observer -> observer.warned(partition, events));
    }

    @Override
    public void sweepFailed(int partition, Exception failure) {
        each(observer -> observer.sweepFailed(partition, failure));
    }

    @Override
    public void streamFailed(int partition, StreamName stream, Exception failure) {
        each(observer -> observer.streamFailed(partition, stream, failure));
    }

    @Override
    public void eventDamaged(int partition, StreamName stream, String what) {
        each(observer -> observer.eventDamaged(partition, stream, what));
    }

    @Override
    public void parkedLost(int partition, String which) {
        each(observer -> observer.parkedLost(partition, which));
    }

    @Override
    public void trashForged(int partition, long records) {
        each(observer -> observer.trashForged(partition, records));
    }

    @Override
    public void trashUnread(int partition, String problem) {
        each(observer -> observer.trashUnread(partition, problem));
    }

    @Override
    public void commandEnded(CommandResult result) {
        each(observer -> observer.commandEnded(result));
    }

    @Override
    public void commandRefused(int partition, CommandResult result) {
        each(observer -> observer.commandRefused(partition, result));
    }

    @Override
    public void commandFailed(int partition, String commandId, Exception failure) {
        each(observer -> observer.commandFailed(partition, commandId, failure));
    }

    @Override
    public void usageRecounted(int partition, StreamName stream, String finding, List<String> differences) {
        each(observer -> observer.usageRecounted(partition, stream, finding, differences));
    }

    @Override
    public void figuresRecounted(int partition, List<String> differences) {
        each(observer -> observer.figuresRecounted(partition, differences));
    }

    @Override
    public void taskStatus(TaskStatus status) {
        each(observer -> observer.taskStatus(status));
    }

    @Override
    public void taskRested(int partition, long sweepPointMs, long sweepCompletedMs, long nextSweepMs) {
        each(observer -> observer.taskRested(partition, sweepPointMs, sweepCompletedMs, nextSweepMs));
    }

    @Override
    public void auditKnown(int partition, long records) {
        each(observer -> observer.auditKnown(partition, records));
    }

    @Override
    public void taskStarted(int partition) {
        each(observer -> observer.taskStarted(partition));
    }

    @Override
    public void taskClosed(int partition) {
        each(observer -> observer.taskClosed(partition));
    }

    private void each(Consumer<RetentionObserver> call) {
        for (RetentionObserver observer : observers) {
            call.accept(observer);
        }
    }
}
