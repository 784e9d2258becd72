package dev.ebb.runtime.kafka;

import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

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
        OptionalLong[] last = {OptionalLong.empty()};
        new LogSpan(partition, start, end).read(reader, record -> last[0] = OptionalLong.of(record.offset()));
        return last[0];
    }

    private long endOf(TopicPartition partition) {
        return reader.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    }

    private long beginOf(TopicPartition partition) {
        return reader.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
    }
}
