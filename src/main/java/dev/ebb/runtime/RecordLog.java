package dev.ebb.runtime;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The committed records of one topic, read in pieces. Not thread-safe. */
interface RecordLog extends AutoCloseable {

    /** The first offset of every partition. */
    Map<Integer, Long> begins();

    /** The offset behind the last committed record of every partition, as it is now. */
    Map<Integer, Long> ends();

    /** The offset of the first record of that time or later, by partition; partitions without one are left out. */
    Map<Integer, Long> firstSince(long timeMs);

    /**
     * The records from one offset to another, the second not included. If they are too big to be held, the oldest of
     * them are left out.
     *
     * @param deadlineNanos when to give up, as {@link System#nanoTime()} counts
     */
    Piece read(int partition, long from, long to, long deadlineNanos);

    @Override
    void close();

    /**
     * Part of a partition.
     *
     * @param first the offset from which on it is complete
     * @param records oldest first
     */
    record Piece(long first, List<ConsumerRecord<byte[], byte[]>> records) {}

    /** The deadline has passed. */
    final class TimeUpException extends RuntimeException {

        TimeUpException() {
            super("the time to read has passed");
        }
    }
}
