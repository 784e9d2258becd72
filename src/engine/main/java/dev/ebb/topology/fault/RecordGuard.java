package dev.ebb.topology.fault;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.layout.StateFormatException;
import dev.ebb.topology.observe.RetentionObserver;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Guard of the intake of records. A record with an unforeseen failure is set aside, and everything else goes on. If
 * nothing of the record has been written yet, it is set aside at once. Later, this would leave half of its effects, so
 * the transaction fails, and the record is set aside when it comes again. Not thread-safe.
 */
public final class RecordGuard {

    private final FailedRecords failed;
    private final RetentionObserver observer;
    private final BiConsumer<InputRecord, Rejection> reject;
    private boolean isWriting;

    /**
     * @param failed the records of the instance that must not be tried again
     * @param reject sends a record to the rejected topic and counts it
     */
    public RecordGuard(FailedRecords failed, RetentionObserver observer, BiConsumer<InputRecord, Rejection> reject) {
        this.failed = failed;
        this.observer = observer;
        this.reject = reject;
    }

    /**
     * Takes the record in.
     *
     * @param intake takes it in, calls {@link #writing} before its first effect, and returns the reason to wait or null
     * @param <T> type of the reasons to wait
     * @return the result of the intake; null if the record was set aside
     * @throws FailedRecordException if the record failed after something of it had been written
     */
    public <T> @Nullable T take(InputRecord record, Supplier<@Nullable T> intake) {
        String why = failed.setAside(record);
        if (why != null) {
            reject.accept(record, new Rejection(RejectReason.FAILED, why));
            return null;
        }
        isWriting = false;
        failed.taking(record);
        try {
            return intake.get();
        } catch (StackOverflowError | RuntimeException e) {
            if (isOfTheInstance(e)) {
                throw e;
            }
            fail(record, e);
            return null;
        } finally {
            failed.taking(null);
        }
    }

    /** Notes that from now on effects of the current record are written. */
    public void writing() {
        isWriting = true;
    }

    private void fail(InputRecord record, Throwable failure) {
        String why = "taking it in failed: " + failure;
        observer.recordFailed(record.topic(), record.partition(), record.offset(), failure);
        if (!isWriting) {
            reject.accept(record, new Rejection(RejectReason.FAILED, why));
            return;
        }
        failed.remember(record.topic(), record.partition(), record.offset(), why);
        throw new FailedRecordException(
                "the record at offset " + record.offset() + " of " + record.topic() + "-" + record.partition()
                        + " failed halfway and will be set aside",
                failure);
    }

    /** Returns true if another record would fail too: the task has moved, the broker refuses, the store is damaged. */
    private static boolean isOfTheInstance(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof KafkaException
                    || cause instanceof StateFormatException
                    || cause instanceof RegistryUnavailableException) {
                return true;
            }
        }
        return false;
    }
}
