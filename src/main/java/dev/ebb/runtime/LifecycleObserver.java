package dev.ebb.runtime;

import java.time.Duration;

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

    /** A stream thread failed and another takes its place. */
    default void threadReplaced(Throwable failure) {}

    /** It will not start, because something must be put right first. */
    default void refused(String reason) {}

    /** It cannot go on. */
    default void failed(Throwable failure) {}

    /** It begins to stop. */
    default void stopping() {}

    /** It did not stop in time; what was not committed is repeated at the next start. */
    default void stopTimedOut(Duration timeout) {}

    /** It has stopped. */
    default void stopped(RunOutcome outcome) {}
}
