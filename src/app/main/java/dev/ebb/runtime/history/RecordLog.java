package dev.ebb.runtime.history;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The committed records of one topic, read in pieces, from many partitions at once. Not thread-safe. */
public interface RecordLog extends AutoCloseable {

    /** The first offset of every partition. */
    Map<Integer, Long> begins();

    /** The offset behind the last committed record of every partition, as it is now. */
    Map<Integer, Long> ends();

    /** The offset of the first record of that time or later, by partition; partitions without one are left out. */
    Map<Integer, Long> firstSince(long timeMs);

    /**
     * The records of these stretches, a piece for each. If they are too big to be held together, the oldest of a partition
     * are left out.
     *
     * @param spans by partition, each with something in it
     * @param deadlineNanos when to give up, as {@link System#nanoTime()} counts
     */
    Map<Integer, Piece> read(Map<Integer, Span> spans, long deadlineNanos);

    /**
     * Shows the records of these stretches to the visitor until it says no: those of each partition in their order, and the
     * partitions in none. Keeps none.
     *
     * @param spans by partition, each with something in it
     * @param deadlineNanos when to give up, as {@link System#nanoTime()} counts
     * @return true if all have been shown
     */
    boolean visit(Map<Integer, Span> spans, Predicate<ConsumerRecord<byte[], byte[]>> visitor, long deadlineNanos);

    @Override
    void close();

    /**
     * A stretch of a partition.
     *
     * @param from its first offset
     * @param to the offset behind its last one
     */
    record Span(long from, long to) {

        boolean isEmpty() {
            return from >= to;
        }
    }

    /**
     * Part of a partition.
     *
     * @param first the offset from which on it is complete
     * @param records oldest first
     */
    record Piece(long first, List<ConsumerRecord<byte[], byte[]>> records) {}

    /** The deadline has passed. */
    final class TimeUpException extends RuntimeException {

        public TimeUpException() {
            super("the time to read has passed");
        }
    }
}
