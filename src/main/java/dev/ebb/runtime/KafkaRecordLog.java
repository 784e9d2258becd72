package dev.ebb.runtime;

import dev.ebb.api.Audience;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** A topic through a consumer that reads committed records. The consumer waits for the broker; nothing spins. */
final class KafkaRecordLog implements RecordLog {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
    private static final long MAX_PIECE_BYTES = 8 << 20;

    private final Consumer<byte[], byte[]> reader;
    private final List<TopicPartition> partitions;

    private KafkaRecordLog(Consumer<byte[], byte[]> reader, List<TopicPartition> partitions) {
        this.reader = reader;
        this.partitions = partitions;
    }

    /** @param reader of the log alone, which closes it */
    static KafkaRecordLog open(Consumer<byte[], byte[]> reader, String topic) {
        try {
            List<TopicPartition> partitions = reader.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            return new KafkaRecordLog(reader, partitions);
        } catch (RuntimeException e) {
            reader.close(CloseOptions.timeout(CLOSE_TIMEOUT));
            throw e;
        }
    }

    @Override
    public Map<Integer, Long> begins() {
        return byNumber(reader.beginningOffsets(partitions));
    }

    @Override
    public Map<Integer, Long> ends() {
        return byNumber(reader.endOffsets(partitions));
    }

    @Override
    public Map<Integer, Long> firstSince(long timeMs) {
        Map<TopicPartition, Long> times =
                partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> timeMs));
        Map<Integer, Long> offsets = new HashMap<>();
        reader.offsetsForTimes(times).forEach((partition, found) -> {
            if (found != null) {
                offsets.put(partition.partition(), found.offset());
            }
        });
        return offsets;
    }

    @Override
    public Piece read(int partition, long from, long to, long deadlineNanos) {
        TopicPartition source = new TopicPartition(partitions.get(0).topic(), partition);
        Deque<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();
        long first = from;
        long bytes = 0;
        reader.assign(List.of(source));
        reader.seek(source, from);
        while (reader.position(source) < to) {
            Audience.require();
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new TimeUpException();
            }
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
                if (record.offset() < to) {
                    records.add(record);
                    bytes += sizeOf(record);
                }
            }
            while (bytes > MAX_PIECE_BYTES && records.size() > 1) {
                bytes -= sizeOf(records.removeFirst());
                first = records.getFirst().offset();
            }
        }
        return new Piece(first, new ArrayList<>(records));
    }

    @Override
    public void close() {
        reader.close(CloseOptions.timeout(CLOSE_TIMEOUT));
    }

    private static long sizeOf(ConsumerRecord<byte[], byte[]> record) {
        return Math.max(0L, record.serializedKeySize()) + Math.max(0L, record.serializedValueSize());
    }

    private static Map<Integer, Long> byNumber(Map<TopicPartition, Long> offsets) {
        return offsets.entrySet().stream()
                .collect(Collectors.toMap(entry -> entry.getKey().partition(), Map.Entry::getValue));
    }
}
