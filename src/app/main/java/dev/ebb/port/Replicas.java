package dev.ebb.port;

import java.util.OptionalLong;

/** Reads copies of partitions that other instances keep, or that are still being restored here. Thread-safe. */
public interface Replicas {

    /**
     * Returns queries that the local copy of a partition answers, no matter which instance keeps the partition. An
     * event that the copy lacks may exist all the same. {@link NotReadyException} means that there is no local copy.
     */
    EventQueries events();

    /** Returns the number of records by which the copy lags behind its changelogs; empty if not known. */
    OptionalLong lag(int partition);
}
