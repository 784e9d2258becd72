package dev.ebb.sink;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.jspecify.annotations.Nullable;

/** A worker with one task of the sink and a topic in memory: polls, seeks and commits as Connect does. */
final class FakeWorker implements SinkTaskContext, AutoCloseable {

    static final String TOPIC = "mirror.events";

    private final MirrorSinkTask task = new MirrorSinkTask();
    private final Map<String, String> settings;
    private final Topic topic;
    private final Map<TopicPartition, Long> next = new HashMap<>();
    private final Map<TopicPartition, Long> asked = new HashMap<>();
    private final List<SinkRecord> reported = new ArrayList<>();
    private @Nullable List<SinkRecord> undelivered;
    private long pauseMs;
    private boolean reports;

    /** The records of a topic by partition; offsets may have gaps, as markers leave them. */
    static final class Topic {

        private final Map<Integer, List<SinkRecord>> records = new HashMap<>();

        /** Appends a record; a null value is a tombstone. */
        void send(int partition, long offset, String key, @Nullable String value) {
            send(partition, offset, bytes(key), value == null ? null : bytes(value));
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        void send(int partition, long offset, byte @Nullable [] key, byte @Nullable [] value) {
            records.computeIfAbsent(partition, none -> new ArrayList<>())
                    .add(new SinkRecord(
                            TOPIC, partition, null, key, null, value, offset, 0L, TimestampType.CREATE_TIME));
        }

        /** Appends what a producer would send. */
        void send(int partition, long offset, ProducerRecord<byte[], byte[]> sent) {
            ConnectHeaders headers = new ConnectHeaders();
            sent.headers().forEach(header -> headers.addBytes(header.key(), header.value()));
            send(partition, offset, sent, headers);
        }

        /** The same, with a number in each header. */
        void sendWithHeader(int partition, long offset, ProducerRecord<byte[], byte[]> sent, int value) {
            ConnectHeaders headers = new ConnectHeaders();
            sent.headers().forEach(header -> headers.addInt(header.key(), value));
            send(partition, offset, sent, headers);
        }

        private void send(int partition, long offset, ProducerRecord<byte[], byte[]> sent, ConnectHeaders headers) {
            records.computeIfAbsent(partition, none -> new ArrayList<>())
                    .add(new SinkRecord(
                            TOPIC,
                            partition,
                            null,
                            sent.key(),
                            null,
                            sent.value(),
                            offset,
                            0L,
                            TimestampType.CREATE_TIME,
                            headers));
        }

        void clear() {
            records.clear();
        }

        /** The number of records of partition 0. */
        int size() {
            return records.getOrDefault(0, List.of()).size();
        }
    }

    FakeWorker(Topic topic, Map<String, String> settings) {
        this.topic = topic;
        this.settings = settings;
    }

    /**
     * Reads partition 0 by tasks that come and go, and by one that has lost its partition, in random portions.
     *
     * @param most the most records of a portion
     * @param end the offset behind the last record
     */
    static void readByManyTasks(Supplier<FakeWorker> workers, Random random, int most, long end) {
        try (FakeWorker old = workers.get().start(0, 0)) {
            FakeWorker current = workers.get().start(0, 0);
            for (int i = 0; i < 60; i++) {
                current.turn(1 + random.nextInt(most));
                if (random.nextInt(5) == 0) {
                    old.turn(1 + random.nextInt(most));
                }
                if (random.nextInt(6) == 0) {
                    current.close();
                    current = workers.get().start(0, random.nextInt((int) end));
                }
            }
            current.turn();
            current.turn();
            current.close();
        }
    }

    /** Sends refused records elsewhere, instead of failing. */
    FakeWorker reporting() {
        reports = true;
        return this;
    }

    /** Starts the task on a partition, at the offset that the group has committed. */
    FakeWorker start(int partition, long groupOffset) {
        TopicPartition assigned = new TopicPartition(TOPIC, partition);
        next.put(assigned, groupOffset);
        task.initialize(this);
        task.start(settings);
        task.open(List.of(assigned));
        return this;
    }

    /** Starts the task on several partitions, from offset 0 of each. */
    FakeWorker start(List<Integer> partitions) {
        task.initialize(this);
        task.start(settings);
        partitions.forEach(partition -> next.put(new TopicPartition(TOPIC, partition), 0L));
        task.open(List.copyOf(next.keySet()));
        return this;
    }

    /** Opens a partition that the task has had before, at the offset of the group, as a rebalance does. */
    void open(int partition, long groupOffset) {
        TopicPartition assigned = new TopicPartition(TOPIC, partition);
        asked.clear();
        next.put(assigned, groupOffset);
        task.open(List.of(assigned));
    }

    /** A rebalance that takes a partition from the task and gives it back: Connect drops what it had in hand. */
    void reassign(int partition, long groupOffset) {
        close(partition);
        undelivered = null;
        open(partition, groupOffset);
    }

    /** Takes a partition from the task, which Connect still asks for offsets. */
    void close(int partition) {
        task.close(List.of(new TopicPartition(TOPIC, partition)));
    }

    /** The offsets that the task has asked for since it was opened last. */
    Map<Integer, Long> asked() {
        Map<Integer, Long> offsets = new HashMap<>();
        asked.forEach((partition, offset) -> offsets.put(partition.partition(), offset));
        return offsets;
    }

    /** One turn: everything from the position on in one poll. */
    void turn() {
        turn(Integer.MAX_VALUE);
    }

    /**
     * One turn with so many records at the most. After a {@link RetriableException}, the records of the turn before, as
     * Connect brings them again.
     */
    void turn(int limit) {
        next.putAll(asked);
        asked.clear();
        List<SinkRecord> polled = undelivered;
        if (polled == null) {
            polled = poll(limit);
        }
        undelivered = polled;
        task.put(polled);
        undelivered = null;
    }

    private List<SinkRecord> poll(int limit) {
        List<SinkRecord> polled = next.keySet().stream()
                .flatMap(partition -> topic.records.getOrDefault(partition.partition(), List.of()).stream()
                        .filter(record -> record.kafkaOffset() >= next.get(partition))
                        .limit(limit))
                .toList();
        polled.forEach(
                record -> next.put(new TopicPartition(TOPIC, record.kafkaPartition()), record.kafkaOffset() + 1));
        return polled;
    }

    /** One turn again and again, with the pause that the task asks for, while it says that it may succeed later. */
    void turnUntilItSucceeds() throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            try {
                turn();
                return;
            } catch (RetriableException e) {
                Thread.sleep(pauseMs);
            }
        }
        throw new AssertionError("the task never succeeded");
    }

    /** The offsets that Connect would commit for the group now. */
    Map<Integer, Long> committed() {
        Map<TopicPartition, OffsetAndMetadata> current = new HashMap<>();
        next.forEach((partition, offset) -> current.put(partition, new OffsetAndMetadata(offset)));
        Map<Integer, Long> offsets = new HashMap<>();
        task.preCommit(current).forEach((partition, offset) -> offsets.put(partition.partition(), offset.offset()));
        return offsets;
    }

    List<SinkRecord> reported() {
        return reported;
    }

    @Override
    public Map<String, String> configs() {
        return settings;
    }

    @Override
    public void offset(Map<TopicPartition, Long> offsets) {
        asked.putAll(offsets);
    }

    @Override
    public void offset(TopicPartition partition, long offset) {
        asked.put(partition, offset);
    }

    @Override
    public void timeout(long timeoutMs) {
        pauseMs = timeoutMs;
    }

    @Override
    public Set<TopicPartition> assignment() {
        return next.keySet();
    }

    @Override
    public void pause(TopicPartition... partitions) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void resume(TopicPartition... partitions) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void requestCommit() {
        // Offsets are asked for by the tests.
    }

    @Override
    public @Nullable ErrantRecordReporter errantRecordReporter() {
        return reports ? this::report : null;
    }

    @Override
    public PluginMetrics pluginMetrics() {
        throw new UnsupportedOperationException();
    }

    private Future<Void> report(SinkRecord record, Throwable error) {
        reported.add(record);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
        task.stop();
    }
}
