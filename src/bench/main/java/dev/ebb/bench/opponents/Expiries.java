package dev.ebb.bench.opponents;

/** Hears on stream threads what the store ordered by time does. */
@FunctionalInterface
public interface Expiries {

    /** An event has expired. */
    void expired();

    /** An event was read because the limit has changed. */
    default void read() {}
}
