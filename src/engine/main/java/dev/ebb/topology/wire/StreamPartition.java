package dev.ebb.topology.wire;

import dev.ebb.domain.event.StreamName;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Utils;

/** Partition of a stream: the one to which Kafka's own producers send a record with the stream name as key. */
public final class StreamPartition {

    private StreamPartition() {}

    /** Returns the partition of the stream, from 0. */
    public static int of(StreamName stream, int partitions) {
        byte[] key = stream.value().getBytes(StandardCharsets.UTF_8);
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }
}
