package dev.ebb.topology.wire;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.jspecify.annotations.Nullable;

/**
 * Key of an outgoing record, and the partition to which it must go. An upsert and its tombstone must never be
 * separated, so the partition in the mirror is that of the task, not one computed from the bytes of the key.
 *
 * @param key the bytes of the key; null for none
 * @param partition the partition, from 0; taken modulo the number of partitions of the topic
 * @param topic the topic, for the one sink with many topics; empty for all others
 */
public record Addressed(byte @Nullable [] key, int partition, String topic) {

    /** Makes the key of a record for a sink with one topic. */
    public Addressed(byte @Nullable [] key, int partition) {
        this(key, partition, "");
    }

    public static final class KeySerializer implements Serializer<Addressed> {

        @Override
        public byte @Nullable [] serialize(String topic, Addressed addressed) {
            return addressed.key();
        }
    }

    public static final class Partitioner implements StreamPartitioner<Addressed, byte[]> {

        /** The form without headers is to go from Kafka, and is the one that an implementation must have until then. */
        @Override
        @SuppressWarnings("removal")
        public Optional<Set<Integer>> partitions(String topic, Addressed key, byte[] value, int numPartitions) {
            return Optional.of(Set.of(key.partition() % numPartitions));
        }
    }
}
