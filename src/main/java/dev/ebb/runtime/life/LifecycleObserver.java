package dev.ebb.runtime.life;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What happens to an instance from its start to its end. Called from several threads. */
public interface LifecycleObserver {

    /** It begins to start. */
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

    /** It will not start, or not go on, because something must be put right first. */
    default void refused(String reason) {}

    /** It cannot start now; nothing is wrong with it, and another try may do. */
    default void notStarted(String reason) {}

    /** It cannot go on. */
    default void failed(Throwable failure) {}

    /** It begins to give its partitions to the others, for good. */
    default void leaving() {}

    /** It has none any more, and waits to be stopped. */
    default void left() {}

    /** It begins to stop. */
    default void stopping() {}

    /** It did not stop in time; what was not committed is repeated at the next start. */
    default void stopTimedOut(Duration timeout) {}

    /** It has stopped. */
    default void stopped(RunOutcome outcome) {}

    /**
     * A thread that failed and is replaced.
     *
     * @param where the partition, or what else it was at work for
     * @param work what it was doing; null if that is not known
     * @param times how often it has failed like that there in the last minutes
     * @param limit the instance goes on for so many times
     * @param cause what was thrown
     */
    record ThreadFailure(String where, @Nullable String work, int times, int limit, Throwable cause) {}
}
