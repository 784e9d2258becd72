package dev.ebb.port;

import java.util.OptionalLong;

/** Reads copies of partitions that other instances keep, or that are still being restored here. Thread-safe. */
public interface Copies {

    /**
     * Answers from the local copy of a partition, no matter which instance keeps it. Events that are not found may
     * exist all the same. {@link NotReadyException} means that there is no local copy.
     */
    EventQueries events();

    /** Number of records by which the copy is behind its changelogs; empty if not known. */
    OptionalLong lag(int partition);
}
