package dev.ebb.bench.opponents;

/** Hears on stream threads what the store ordered by time does. */
@FunctionalInterface
public interface Expiries {

    /** An event has expired. */
    void expired();

    /** A slice begins; it sweeps one partition. */
    default void sliceBegun() {}

    default void sliceEnded() {}
}
