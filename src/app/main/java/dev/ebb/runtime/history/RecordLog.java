package dev.ebb.runtime.history;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The committed records of one topic, read in pieces, from many partitions at once. Not thread-safe. */
public interface RecordLog extends AutoCloseable {

    /** Returns the first offset of every partition. */
    Map<Integer, Long> begins();

    /** Returns the present offset behind the last committed record of every partition. */
    Map<Integer, Long> ends();

    /**
     * Returns the offset of the first record of that time or later, by partition, without partitions that have none.
     */
    Map<Integer, Long> firstSince(long timeMs);

    /**
     * Reads the records of these stretches, a piece for each. If they are too big to be held together, the oldest of a
     * partition are left out.
     *
     * @param spans stretches by partition, none empty
     * @param deadlineNanos the time at which to give up, as {@link System#nanoTime()} counts
     */
    Map<Integer, Piece> read(Map<Integer, Span> spans, long deadlineNanos);

    /**
     * Shows the records of these stretches to the visitor until it returns false: the records of a partition in their
     * order, the partitions in no particular order. Keeps none.
     *
     * @param spans stretches by partition, none empty
     * @param deadlineNanos the time at which to give up, as {@link System#nanoTime()} counts
     * @return true if all have been shown
     */
    boolean visit(Map<Integer, Span> spans, Predicate<ConsumerRecord<byte[], byte[]>> visitor, long deadlineNanos);

    @Override
    void close();

    /**
     * A stretch of a partition.
     *
     * @param from the first offset of the stretch
     * @param to the offset behind the last one
     */
    record Span(long from, long to) {

        boolean isEmpty() {
            return from >= to;
        }
    }

    /**
     * Part of a partition.
     *
     * @param first the offset from which the part is complete
     * @param records the records, oldest first
     */
    record Piece(long first, List<ConsumerRecord<byte[], byte[]>> records) {}

    /** Signals that the deadline has passed. */
    final class TimeUpException extends RuntimeException {

        public TimeUpException() {
            super("the time to read has passed");
        }
    }
}
