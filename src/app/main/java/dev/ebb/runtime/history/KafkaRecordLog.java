package dev.ebb.runtime.history;

import dev.ebb.api.http.Audience;
import dev.ebb.runtime.history.WarmReaders.Lease;
import dev.ebb.runtime.kafka.PollBound;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads a topic through one consumer of committed records, all requested partitions side by side. The consumer waits
 * for the broker without spinning. A partition is done when its position reaches the requested end, even where only
 * transaction markers, aborted records or gaps are left.
 */
public final class KafkaRecordLog implements RecordLog {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final long MAX_HELD_BYTES = 8 << 20;

    private final Lease lease;
    private final Consumer<byte[], byte[]> reader;
    private final String topic;
    private final List<TopicPartition> partitions;

    private KafkaRecordLog(Lease lease, String topic, List<TopicPartition> partitions) {
        this.lease = lease;
        this.reader = lease.reader();
        this.topic = topic;
        this.partitions = partitions;
    }

    /** @param lease a lease for this log alone, which closes it */
    public static KafkaRecordLog open(Lease lease, String topic) {
        try {
            List<TopicPartition> partitions = lease.reader().partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            return new KafkaRecordLog(lease, topic, partitions);
        } catch (RuntimeException e) {
            lease.close();
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
    public Map<Integer, Piece> read(Map<Integer, Span> spans, long deadlineNanos) {
        long mostBytes = MAX_HELD_BYTES / Math.max(1, partitions.size());
        Map<Integer, Held> held = new HashMap<>();
        spans.forEach((partition, span) -> held.put(partition, new Held(span.from(), mostBytes)));
        visit(
                spans,
                record -> {
                    Objects.requireNonNull(held.get(record.partition())).add(record);
                    return true;
                },
                deadlineNanos);
        Map<Integer, Piece> pieces = new HashMap<>();
        held.forEach((partition, records) -> pieces.put(partition, records.piece()));
        return pieces;
    }

    @Override
    public boolean visit(
            Map<Integer, Span> spans, Predicate<ConsumerRecord<byte[], byte[]>> visitor, long deadlineNanos) {
        Set<TopicPartition> unread = begin(spans);
        while (!unread.isEmpty()) {
            Audience.require();
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new TimeUpException();
            }
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
                if (record.offset() < spanOf(record.partition(), spans).to() && !visitor.test(record)) {
                    return false;
                }
            }
            endThoseAtTheirEnd(unread, spans);
        }
        return true;
    }

    @Override
    public void close() {
        lease.close();
    }

    private Set<TopicPartition> begin(Map<Integer, Span> spans) {
        Set<TopicPartition> unread = new HashSet<>();
        spans.keySet().forEach(partition -> unread.add(new TopicPartition(topic, partition)));
        reader.assign(unread);
        reader.resume(unread);
        unread.forEach(partition ->
                reader.seek(partition, spanOf(partition.partition(), spans).from()));
        return unread;
    }

    /** A partition at its end is no longer polled, so that no request waits there for new records. */
    private void endThoseAtTheirEnd(Set<TopicPartition> unread, Map<Integer, Span> spans) {
        List<TopicPartition> done = unread.stream()
                .filter(partition -> reader.position(partition)
                        >= spanOf(partition.partition(), spans).to())
                .toList();
        reader.pause(done);
        done.forEach(unread::remove);
    }

    private static Span spanOf(int partition, Map<Integer, Span> spans) {
        return Objects.requireNonNull(spans.get(partition));
    }

    private static Map<Integer, Long> byNumber(Map<TopicPartition, Long> offsets) {
        return offsets.entrySet().stream()
                .collect(Collectors.toMap(entry -> entry.getKey().partition(), Map.Entry::getValue));
    }

    /** Held records of one partition: the newest ones, as many as fit. */
    private static final class Held {

        private final Deque<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();
        private final long mostBytes;
        private long first;
        private long bytes;

        Held(long first, long mostBytes) {
            this.first = first;
            this.mostBytes = mostBytes;
        }

        void add(ConsumerRecord<byte[], byte[]> record) {
            records.add(record);
            bytes += sizeOf(record);
            while (bytes > mostBytes && records.size() > 1) {
                bytes -= sizeOf(records.removeFirst());
                first = records.getFirst().offset();
            }
        }

        Piece piece() {
            return new Piece(first, new ArrayList<>(records));
        }

        private static long sizeOf(ConsumerRecord<byte[], byte[]> record) {
            return Math.max(0L, record.serializedKeySize())
                    + Math.max(0L, record.serializedValueSize())
                    + PollBound.bytesOf(record.headers());
        }
    }
}
