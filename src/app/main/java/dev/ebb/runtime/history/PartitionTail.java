package dev.ebb.runtime.history;

import dev.ebb.runtime.history.RecordLog.Piece;
import dev.ebb.runtime.history.RecordLog.Span;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Walks through the records of one partition backwards, in pieces that grow. Not thread-safe. */
final class PartitionTail {

    private static final long FIRST_STEP = 32;
    private static final long STEP_FACTOR = 4;
    private static final long MAX_STEP = 8192;

    private final int partition;
    private final long first;
    private final Deque<ConsumerRecord<byte[], byte[]>> read = new ArrayDeque<>();
    private long end;
    private long step = FIRST_STEP;

    /**
     * @param first the offset at which to end
     * @param end the offset before which to begin
     */
    PartitionTail(int partition, long first, long end) {
        this.partition = partition;
        this.first = first;
        this.end = end;
    }

    int partition() {
        return partition;
    }

    /** Returns the offset before which to continue; not above {@link #first} when nothing is left. */
    long rest() {
        return read.isEmpty() ? end : read.getLast().offset() + 1;
    }

    boolean isAtBegin() {
        return rest() <= first;
    }

    /** Returns true if the newest record that has not been taken is unknown until {@link #next()} is read. */
    boolean isUnknown() {
        return read.isEmpty() && end > first;
    }

    /**
     * Returns true if the newest record is unknown, or soon will be, so that a read together with other tails pays off.
     */
    boolean isShort() {
        return isUnknown() || (end > first && read.size() < step / STEP_FACTOR / 2);
    }

    /** Returns the stretch to read next. */
    Span next() {
        return new Span(Math.max(first, end - step), end);
    }

    /** Adds the records of {@link #next()}. Where not all of them could be held, the next piece is no bigger. */
    void add(Piece piece) {
        boolean isWhole = piece.first() <= next().from();
        step = isWhole ? Math.min(MAX_STEP, step * STEP_FACTOR) : Math.max(1, end - piece.first());
        for (int i = piece.records().size() - 1; i >= 0; i--) {
            read.addFirst(piece.records().get(i));
        }
        end = piece.first();
    }

    boolean hasRecord() {
        return !read.isEmpty();
    }

    /**
     * Returns the broker's time of the newest record that has not been taken, in epoch milliseconds; there must be one.
     */
    long newestMs() {
        return read.getLast().timestamp();
    }

    /** Takes the newest record. */
    ConsumerRecord<byte[], byte[]> take() {
        return read.removeLast();
    }
}
