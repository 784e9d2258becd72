package dev.ebb.runtime.life;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Hears of the events of an instance from its start to its end. Called from several threads. */
public interface LifecycleObserver {

    /** The instance begins to start. */
    default void starting() {}

    /** Something that is only odd about the settings or the topics. */
    default void warned(String warning) {}

    /** The start waits for something that is not there yet; called once for each reason. */
    default void waiting(String reason) {}

    /** All that the start had to wait for is there, and Kafka Streams has begun. */
    default void started() {}

    /** Kafka Streams has come into another state. */
    default void stateChanged(String before, String now) {}

    /**
     * A store has been brought up to its changelog; not called for one that lacked nothing.
     *
     * @param records that were read for it
     */
    default void restored(String store, int partition, long records, Duration took) {}

    /** A stream thread failed and another takes its place. */
    default void threadReplaced(ThreadFailure failure) {}

    /** The instance will not start, or not go on, because something must be put right first. */
    default void refused(String reason) {}

    /** The instance cannot start now; nothing is wrong with it, and another try may do. */
    default void notStarted(String reason) {}

    /** The instance cannot go on. */
    default void failed(Throwable failure) {}

    /** The instance begins to give its partitions to the others, for good. */
    default void leaving() {}

    /** The instance has no partitions any more, and waits to be stopped. */
    default void left() {}

    /** The instance begins to stop. */
    default void stopping() {}

    /** The instance did not stop in time; work that was not committed is repeated at the next start. */
    default void stopTimedOut(Duration timeout) {}

    /** The instance has stopped. */
    default void stopped(RunOutcome outcome) {}

    /**
     * A thread that failed and is replaced.
     *
     * @param where the partition, or other thing that it was at work for
     * @param work its work at that time; null if that is not known
     * @param times number of such failures there in the last minutes
     * @param limit the instance goes on for so many times
     * @param cause the exception
     */
    record ThreadFailure(String where, @Nullable String work, int times, int limit, Throwable cause) {}
}
