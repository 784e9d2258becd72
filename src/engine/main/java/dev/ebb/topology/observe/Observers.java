package dev.ebb.topology.observe;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.retention.SweepReport;
import java.util.List;

/** Observer that notifies several others, each in turn. Thread-safe. */
public final class Observers implements RetentionObserver {

    private final RetentionObserver[] observers;

    /** @param observers notified in this order */
    public Observers(List<? extends RetentionObserver> observers) {
        this.observers = observers.toArray(RetentionObserver[]::new);
    }

    @Override
    public void ingested(StreamName stream, boolean isNew, long delayMs) {
        for (RetentionObserver observer : observers) {
            observer.ingested(stream, isNew, delayMs);
        }
    }

    @Override
    public void updated(StreamName stream) {
        for (RetentionObserver observer : observers) {
            observer.updated(stream);
        }
    }

    @Override
    public void orphaned(StreamName stream) {
        for (RetentionObserver observer : observers) {
            observer.orphaned(stream);
        }
    }

    @Override
    public void late(StreamName stream, LateRecord record) {
        for (RetentionObserver observer : observers) {
            observer.late(stream, record);
        }
    }

    @Override
    public void rejected(RejectReason reason) {
        for (RetentionObserver observer : observers) {
            observer.rejected(reason);
        }
    }

    @Override
    public void recordFailed(String topic, int partition, long offset, Throwable failure) {
        for (RetentionObserver observer : observers) {
            observer.recordFailed(topic, partition, offset, failure);
        }
    }

    @Override
    public void unsent(String topic) {
        for (RetentionObserver observer : observers) {
            observer.unsent(topic);
        }
    }

    @Override
    public void rekeyed() {
        for (RetentionObserver observer : observers) {
            observer.rekeyed();
        }
    }

    @Override
    public void returned(StreamName stream, long bytes) {
        for (RetentionObserver observer : observers) {
            observer.returned(stream, bytes);
        }
    }

    @Override
    public void checkpointed() {
        for (RetentionObserver observer : observers) {
            observer.checkpointed();
        }
    }

    @Override
    public void ttlRefused(StreamName stream) {
        for (RetentionObserver observer : observers) {
            observer.ttlRefused(stream);
        }
    }

    @Override
    public void deleted(StreamName stream, RemovalCause cause, RemovalRule rule, long bytes, long latenessMs) {
        for (RetentionObserver observer : observers) {
            observer.deleted(stream, cause, rule, bytes, latenessMs);
        }
    }

    @Override
    public void swept(SweepReport report) {
        for (RetentionObserver observer : observers) {
            observer.swept(report);
        }
    }

    @Override
    public void warned(int partition, long events) {
        for (RetentionObserver observer : observers) {
            observer.warned(partition, events);
        }
    }

    @Override
    public void sweepFailed(int partition, Exception failure) {
        for (RetentionObserver observer : observers) {
            observer.sweepFailed(partition, failure);
        }
    }

    @Override
    public void streamFailed(int partition, StreamName stream, Exception failure) {
        for (RetentionObserver observer : observers) {
            observer.streamFailed(partition, stream, failure);
        }
    }

    @Override
    public void eventDamaged(int partition, StreamName stream, String what) {
        for (RetentionObserver observer : observers) {
            observer.eventDamaged(partition, stream, what);
        }
    }

    @Override
    public void parkedLost(int partition, String which) {
        for (RetentionObserver observer : observers) {
            observer.parkedLost(partition, which);
        }
    }

    @Override
    public void trashForged(int partition, long records) {
        for (RetentionObserver observer : observers) {
            observer.trashForged(partition, records);
        }
    }

    @Override
    public void trashUnread(int partition, String problem) {
        for (RetentionObserver observer : observers) {
            observer.trashUnread(partition, problem);
        }
    }

    @Override
    public void commandEnded(CommandResult result) {
        for (RetentionObserver observer : observers) {
            observer.commandEnded(result);
        }
    }

    @Override
    public void commandRefused(int partition, CommandResult result) {
        for (RetentionObserver observer : observers) {
            observer.commandRefused(partition, result);
        }
    }

    @Override
    public void commandFailed(int partition, String commandId, Exception failure) {
        for (RetentionObserver observer : observers) {
            observer.commandFailed(partition, commandId, failure);
        }
    }

    @Override
    public void usageRecounted(int partition, StreamName stream, String finding, List<String> differences) {
        for (RetentionObserver observer : observers) {
            observer.usageRecounted(partition, stream, finding, differences);
        }
    }

    @Override
    public void figuresRecounted(int partition, List<String> differences) {
        for (RetentionObserver observer : observers) {
            observer.figuresRecounted(partition, differences);
        }
    }

    @Override
    public void taskStatus(TaskStatus status) {
        for (RetentionObserver observer : observers) {
            observer.taskStatus(status);
        }
    }

    @Override
    public void taskRested(int partition, long sweepPointMs, long sweepCompletedMs, long nextSweepMs) {
        for (RetentionObserver observer : observers) {
            observer.taskRested(partition, sweepPointMs, sweepCompletedMs, nextSweepMs);
        }
    }

    @Override
    public void auditKnown(int partition, long records) {
        for (RetentionObserver observer : observers) {
            observer.auditKnown(partition, records);
        }
    }

    @Override
    public void taskClosed(int partition) {
        for (RetentionObserver observer : observers) {
            observer.taskClosed(partition);
        }
    }
}
