package dev.ebb.runtime.kafka;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * Distinguishes a poll that takes all available records from one that leaves some behind: in front of a backlog, polls
 * are full, by number or by size. Thread-safe.
 */
public final class ShortPoll {

    /**
     * A poll of at most this part of its limits counts as short. One in this many polls is such a small rest of a
     * larger fetch, which does no harm.
     */
    private static final int PART = 10;

    private final int mostRecords;
    private final int mostBytes;

    /** @param config settings of the consumer */
    public ShortPoll(Map<String, Object> config) {
        this.mostRecords =
                part(config, ConsumerConfig.MAX_POLL_RECORDS_CONFIG, ConsumerConfig.DEFAULT_MAX_POLL_RECORDS);
        this.mostBytes = part(
                config,
                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                ConsumerConfig.DEFAULT_MAX_PARTITION_FETCH_BYTES);
    }

    private static int part(Map<String, Object> config, String name, int usual) {
        return Integer.parseInt(config.getOrDefault(name, usual).toString()) / PART;
    }

    /** Returns true if no record waits behind those of the poll. */
    public boolean leavesNone(ConsumerRecords<byte[], byte[]> poll) {
        if (poll.count() > mostRecords) {
            return false;
        }
        long bytes = 0;
        for (ConsumerRecord<byte[], byte[]> record : poll) {
            bytes += Math.max(0, record.serializedValueSize());
        }
        return bytes <= mostBytes;
    }
}
