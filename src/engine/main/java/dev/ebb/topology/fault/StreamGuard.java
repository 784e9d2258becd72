package dev.ebb.topology.fault;

import dev.ebb.domain.event.StreamName;
import dev.ebb.store.EventStore;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.store.layout.StateFormatException;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepSchedule;
import dev.ebb.topology.observe.RetentionObserver;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;

/**
 * Guard that confines a failure of one stream to that stream: the stream is quarantined, which is saved with its usage,
 * and everything else goes on. A failure of Kafka or of the store concerns the whole task and is passed on. A failure
 * in the middle of writes that belong together is passed on too, but the next task begins with the quarantine. Not
 * thread-safe.
 */
public final class StreamGuard {

    /** Prefix of the names of failed streams, which are remembered with work of commands under other prefixes. */
    private static final String STREAM = "stream/";

    private final EventStore store;
    private final SweepSchedule schedule;
    private final RetentionObserver observer;
    private final Failures failures;
    private final int partition;
    private boolean hasTorn;

    public StreamGuard(
            EventStore store, SweepSchedule schedule, RetentionObserver observer, Failures failures, int partition) {
        this.store = store;
        this.schedule = schedule;
        this.observer = observer;
        this.failures = failures;
        this.partition = partition;
    }

    /** Quarantines the streams at which the former task has failed. */
    public void begin(long nowMs) {
        failures.of(partition).forEach((name, reason) -> {
            String text = name.startsWith(STREAM) ? name.substring(STREAM.length()) : "";
            StreamState stream = StreamName.problem(text) == null ? store.stream(new StreamName(text)) : null;
            if (stream != null && stream.quarantine() == null) {
                quarantine(stream, reason, nowMs);
            }
        });
    }

    /** Returns the name under which the failures remember a stream. */
    public static String nameOf(StreamName stream) {
        return STREAM + stream;
    }

    /** Ends the quarantine; the failure that caused it no longer counts. */
    public void release(StreamState stream) {
        forget(stream.stream());
        store.quarantine(stream, null);
        schedule.touch(stream);
    }

    /** Forgets the failure of a stream that is gone, or has been looked at. */
    public void forget(StreamName stream) {
        failures.forget(partition, nameOf(stream));
    }

    /** Returns true if writes that belong together are half done for a stream, which the next task quarantines. */
    public boolean hasTorn() {
        return hasTorn;
    }

    /**
     * Runs work on the stream.
     *
     * @return the result of the work; true if it failed, since nothing more is to be done to the stream
     */
    public boolean run(StreamState stream, long nowMs, BooleanSupplier work) {
        return call(stream, nowMs, work::getAsBoolean, reason -> true);
    }

    /** Runs work on the stream; returns false if it failed. */
    public boolean attempt(StreamState stream, long nowMs, Runnable work) {
        return call(
                stream,
                nowMs,
                () -> {
                    work.run();
                    return true;
                },
                reason -> false);
    }

    /**
     * Runs work on the stream.
     *
     * @param otherwise makes the result of a failure from the reason of the quarantine
     * @param <T> result of the work
     */
    public <T> T call(StreamState stream, long nowMs, Supplier<T> work, Function<String, T> otherwise) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            if (!isOfOne(e)) {
                throw e;
            }
            String reason = reason(e);
            if (store.isTorn()) {
                hasTorn = true;
                failures.remember(partition, nameOf(stream.stream()), reason);
                throw e;
            }
            observer.streamFailed(partition, stream.stream(), e);
            quarantine(stream, reason, nowMs);
            return otherwise.apply(reason);
        }
    }

    /**
     * Returns true if a failure may concern only one stream or command. State of a newer version concerns the whole
     * instance, and a record that has failed halfway makes the transaction fail with it.
     */
    public static boolean isOfOne(RuntimeException failure) {
        return !(failure instanceof KafkaException)
                && !(failure instanceof StateFormatException)
                && !(failure instanceof FailedRecordException);
    }

    public static String reason(RuntimeException failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    private void quarantine(StreamState stream, String reason, long nowMs) {
        store.quarantine(stream, new Quarantine(reason, nowMs));
        schedule.touch(stream);
    }
}
