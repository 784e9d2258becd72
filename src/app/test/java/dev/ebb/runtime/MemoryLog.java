package dev.ebb.runtime;

import dev.ebb.runtime.history.RecordLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** A topic in memory. Offsets may have gaps, as transactions leave them. */
public final class MemoryLog implements RecordLog {

    private static final int VISITED_AT_ONCE = 500;

    public final Map<Integer, List<ConsumerRecord<byte[], byte[]>>> partitions = new TreeMap<>();
    public final Map<Integer, Long> begins = new HashMap<>();
    public int reads;
    public int recordsRead;
    public int readsUntilTimeIsUp = Integer.MAX_VALUE;
    public int mostHeld = Integer.MAX_VALUE;

    /** Records that there is time for in one visit. */
    public int mostVisited = Integer.MAX_VALUE;

    public boolean isClosed;

    /** Runs while a record is read. */
    public Runnable meanwhile = () -> {};

    public MemoryLog add(int partition, long offset, long timestampMs, String value) {
        return add(partition, offset, timestampMs, value, new RecordHeaders());
    }

    MemoryLog add(int partition, long offset, long timestampMs, String value, RecordHeaders headers) {
        return add(partition, offset, timestampMs, new byte[0], value.getBytes(StandardCharsets.UTF_8), headers);
    }

    /** Adds a record with a key; a null value is a tombstone. */
    public MemoryLog add(int partition, long offset, long timestampMs, byte[] key, byte[] value, Headers headers) {
        partitions
                .computeIfAbsent(partition, number -> new ArrayList<>())
                .add(new ConsumerRecord<>(
                        "topic",
                        partition,
                        offset,
                        timestampMs,
                        TimestampType.LOG_APPEND_TIME,
                        0,
                        0,
                        key,
                        value,
                        headers,
                        java.util.Optional.empty()));
        return this;
    }

    public static String text(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.value(), StandardCharsets.UTF_8);
    }

    @Override
    public Map<Integer, Long> begins() {
        Map<Integer, Long> offsets = new HashMap<>();
        partitions.keySet().forEach(partition -> offsets.put(partition, begins.getOrDefault(partition, 0L)));
        return offsets;
    }

    /** A transaction marker follows the last record. */
    @Override
    public Map<Integer, Long> ends() {
        Map<Integer, Long> offsets = new HashMap<>();
        partitions.forEach((partition, records) ->
                offsets.put(partition, records.get(records.size() - 1).offset() + 2));
        return offsets;
    }

    @Override
    public Map<Integer, Long> firstSince(long timeMs) {
        Map<Integer, Long> offsets = new HashMap<>();
        partitions.forEach((partition, records) -> records.stream()
                .filter(record -> record.timestamp() >= timeMs)
                .findFirst()
                .ifPresent(record -> offsets.put(partition, record.offset())));
        return offsets;
    }

    @Override
    public Map<Integer, Piece> read(Map<Integer, Span> spans, long deadlineNanos) {
        countRead();
        Map<Integer, Piece> pieces = new HashMap<>();
        spans.forEach((partition, span) -> {
            List<ConsumerRecord<byte[], byte[]>> found = of(partition, span);
            recordsRead += found.size();
            int leftOut = Math.max(0, found.size() - mostHeld);
            long first = leftOut == 0 ? span.from() : found.get(leftOut).offset();
            pieces.put(partition, new Piece(first, found.subList(leftOut, found.size())));
        });
        return pieces;
    }

    @Override
    public boolean visit(
            Map<Integer, Span> spans, Predicate<ConsumerRecord<byte[], byte[]>> visitor, long deadlineNanos) {
        List<ConsumerRecord<byte[], byte[]>> all = spans.entrySet().stream()
                .flatMap(entry -> of(entry.getKey(), entry.getValue()).stream())
                .toList();
        for (int i = 0; i < all.size(); i++) {
            if (i % VISITED_AT_ONCE == 0) {
                countRead();
            }
            if (i >= mostVisited) {
                throw new TimeUpException();
            }
            recordsRead++;
            if (!visitor.test(all.get(i))) {
                return false;
            }
        }
        return true;
    }

    private void countRead() {
        meanwhile.run();
        if (++reads > readsUntilTimeIsUp) {
            throw new TimeUpException();
        }
    }

    private List<ConsumerRecord<byte[], byte[]>> of(int partition, Span span) {
        return partitions.get(partition).stream()
                .filter(record -> record.offset() >= span.from() && record.offset() < span.to())
                .toList();
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
