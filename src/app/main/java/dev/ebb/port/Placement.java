package dev.ebb.port;

import dev.ebb.domain.event.StreamName;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Knows which instance has which partition, according to Kafka; for a moment after a change the answer may be the
 * former one. Instances are named by host and port of their API. Thread-safe; answers from memory.
 */
public interface Placement {

    /** The name of this instance. */
    String self();

    /** Number of partitions, which are numbered from 0. */
    int partitions();

    /** The partition of a stream, on any instance. */
    int partitionOf(StreamName stream);

    /**
     * The instance that keeps each partition; a partition without one at the moment is left out.
     *
     * @throws NotReadyException while this instance does not belong to the others
     */
    Map<Integer, String> keepers();

    /**
     * Instances that follow the partition without keeping it, and could answer from a copy; empty if there are none.
     */
    List<String> followers(int partition);

    /** All known instances, always including this one. */
    Set<String> instances();
}
