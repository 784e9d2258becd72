package dev.ebb.port;

import dev.ebb.domain.event.StreamName;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Knows which instance has which partition, according to Kafka; for a moment after a change the answer may be out of
 * date. Instances are named by host and port of their API. Thread-safe; answers from memory.
 */
public interface Placement {

    /** Returns the name of this instance. */
    String self();

    /** Returns the number of partitions, which are numbered from 0. */
    int partitions();

    /** Returns the partition of a stream, on any instance. */
    int partitionOf(StreamName stream);

    /**
     * Returns the instance that keeps each partition, without partitions that no instance keeps at the moment.
     *
     * @throws NotReadyException while this instance does not belong to the group
     */
    Map<Integer, String> keepers();

    /**
     * Returns the instances that follow the partition without keeping it, and could answer from a copy; empty if there
     * are none.
     */
    List<String> followers(int partition);

    /** Returns all known instances, always including this one. */
    Set<String> instances();
}
