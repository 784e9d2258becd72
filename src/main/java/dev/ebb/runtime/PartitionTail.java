package dev.ebb.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Goes through the records of one partition backwards, in pieces that grow. Not thread-safe. */
final class PartitionTail {

    private static final long FIRST_STEP = 128;
    private static final long STEP_FACTOR = 4;
    private static final long MAX_STEP = 8192;

    private final RecordLog log;
    private final int partition;
    private final long first;
    private final Deque<ConsumerRecord<byte[], byte[]>> read = new ArrayDeque<>();
    private long end;
    private long step = FIRST_STEP;

    /**
     * @param first the offset at which to end
     * @param end the offset before which to begin
     */
    PartitionTail(RecordLog log, int partition, long first, long end) {
        this.log = log;
        this.partition = partition;
        this.first = first;
        this.end = end;
    }

    int partition() {
        return partition;
    }

    /** The offset before which to go on; not above {@link #first} when there is nothing left. */
    long rest() {
        return read.isEmpty() ? end : read.getLast().offset() + 1;
    }

    boolean isAtBegin() {
        return rest() <= first;
    }

    /** The newest record that has not been taken; null if there is none. */
    @Nullable
    ConsumerRecord<byte[], byte[]> peek(long deadlineNanos) {
        while (read.isEmpty() && end > first) {
            RecordLog.Piece piece = log.read(partition, Math.max(first, end - step), end, deadlineNanos);
            read.addAll(piece.records());
            end = piece.first();
            step = Math.min(MAX_STEP, step * STEP_FACTOR);
        }
        return read.peekLast();
    }

    void take() {
        read.removeLast();
    }
}
