package dev.ebb.runtime.life;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Receives the events of an instance from its start to its end. Called from several threads. */
public interface LifecycleObserver {

    /** Called when the instance begins to start. */
    default void starting() {}

    /** Called with an oddity of the settings or the topics that is no fault. */
    default void warned(String warning) {}

    /** Called when the start waits for something that is not there yet; once for each reason. */
    default void waiting(String reason) {}

    /** Called when everything that the start waited for is there and Kafka Streams has begun. */
    default void started() {}

    /** Called when Kafka Streams has changed its state. */
    default void stateChanged(String before, String now) {}

    /**
     * Called when a store has been brought up to its changelog; not for a store that lacked nothing.
     *
     * @param records number of records that were read for it
     */
    default void restored(String store, int partition, long records, Duration took) {}

    /** Called when a stream thread has failed and another takes its place. */
    default void threadReplaced(ThreadFailure failure) {}

    /** Called when the instance will not start, or not continue, until something has been put right. */
    default void refused(String reason) {}

    /** Called when the instance cannot start now, although nothing is wrong with it; another try may succeed. */
    default void notStarted(String reason) {}

    /** Called when the instance cannot continue. */
    default void failed(Throwable failure) {}

    /** Called when the process collects garbage instead of working, so that it ends. */
    default void exhausted(String reason) {}

    /** Called when the instance begins to hand its partitions to the others, for good. */
    default void leaving() {}

    /** Called when the instance has no partitions any more and waits to be stopped. */
    default void left() {}

    /** Called when the instance begins to stop. */
    default void stopping() {}

    /** Called when the instance did not stop in time; the next start repeats uncommitted work. */
    default void stopTimedOut(Duration timeout) {}

    /** Called when the instance has stopped. */
    default void stopped(RunOutcome outcome) {}

    /**
     * The failure of a thread that is replaced.
     *
     * @param where the partition, or other thing, on which the thread was at work
     * @param work its work at that time; null if not known
     * @param times number of such failures there in the last minutes
     * @param limit number of failures up to which the instance continues
     * @param cause the exception
     */
    record ThreadFailure(String where, @Nullable String work, int times, int limit, Throwable cause) {}
}
