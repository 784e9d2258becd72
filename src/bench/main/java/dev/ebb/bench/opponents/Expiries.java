package dev.ebb.bench.opponents;

/** Observer of the store ordered by time; called on stream threads. */
@FunctionalInterface
public interface Expiries {

    /** Called when an event has expired. */
    void expired();

    /** Called when a slice begins; it sweeps one partition. */
    default void sliceBegun() {}

    default void sliceEnded() {}
}
