package dev.ebb.runtime.kafka;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Finds the last record at the end of a partition. The last offset alone is not enough: transaction markers and records
 * of aborted transactions have offsets too, and compaction leaves gaps, so there may be no record to read at that
 * offset.
 *
 * @param reader reads committed records; used by this object alone and left open
 */
public record LogTail(Consumer<byte[], byte[]> reader) {

    private static final long FIRST_STEP = 16;
    private static final long STEP_FACTOR = 16;
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /**
     * Returns the offset of the last committed record between an offset and the present end of the partition; empty if
     * there is none.
     */
    public OptionalLong lastRecord(TopicPartition partition, long from) {
        reader.assign(List.of(partition));
        long end = endOf(partition);
        long first = Math.max(from, beginOf(partition));
        long step = FIRST_STEP;
        while (end > first) {
            long start = Math.max(first, end - step);
            OptionalLong last = lastBetween(partition, start, end);
            if (last.isPresent()) {
                return last;
            }
            end = start;
            step *= STEP_FACTOR;
        }
        return OptionalLong.empty();
    }

    private OptionalLong lastBetween(TopicPartition partition, long start, long end) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        OptionalLong last = OptionalLong.empty();
        reader.seek(partition, start);
        while (reader.position(partition) < end) {
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException("the end of " + partition + " could not be read in " + PATIENCE);
            }
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
                last = record.offset() < end ? OptionalLong.of(record.offset()) : last;
            }
        }
        return last;
    }

    private long endOf(TopicPartition partition) {
        return reader.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    }

    private long beginOf(TopicPartition partition) {
        return reader.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
    }
}
