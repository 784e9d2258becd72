package dev.ebb.port;

import dev.ebb.domain.event.StreamName;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Knows which instance has which partition, as Kafka tells it: for a moment after a change it may be what was before.
 * Instances are named by host and port of their API. Thread-safe; answers from memory.
 */
public interface Placement {

    /** The name of this instance. */
    String self();

    /** How many partitions there are; they are numbered from 0. */
    int partitions();

    /** The partition that a stream is in, wherever that is. */
    int partitionOf(StreamName stream);

    /**
     * Who keeps each partition; one that nobody keeps at the moment is left out.
     *
     * @throws NotReadyException while this instance does not belong to the others
     */
    Map<Integer, String> keepers();

    /** Who follows the partition without keeping it, and could answer from a copy; empty if nobody does. */
    List<String> followers(int partition);

    /** All instances that are known, this one always among them. */
    Set<String> instances();
}
