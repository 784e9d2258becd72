package dev.ebb.port;

import java.util.OptionalLong;

/** Reads copies of partitions that other instances keep, or that are still being restored here. Thread-safe. */
public interface Copies {

    /**
     * Answers from what is here of a partition, whoever keeps it. What is not found may be there all the same.
     * {@link NotReadyException} says that nothing of it is here.
     */
    EventQueries events();

    /** How many records of its changelogs the copy is behind; empty if that is not known. */
    OptionalLong lag(int partition);
}
