package dev.ebb.sql;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the sinks have taken all records that the mirror topics held at some moment, open transactions included
 * . The offsets of the sinks' groups decide; a sink never commits the markers after the last record of a
 * transaction, so the records at the offsets in between are checked. Thread-safe.
 */
public final class MirrorPosition implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final int MAX_POLLS = 5;

    private final List<ConnectorConfig> connectors;
    private final Admin admin;
    private final Consumer<byte[], byte[]> consumer;

    /**
     * @param admin a client that is closed with this object
     * @param consumer reads committed records only and belongs to no group; closed with this object
     */
    MirrorPosition(List<ConnectorConfig> connectors, Admin admin, Consumer<byte[], byte[]> consumer) {
        this.connectors = List.copyOf(connectors);
        this.admin = admin;
        this.consumer = consumer;
    }

    /**
     * Returns a mark of the present ends of the mirror topics, for later checks: the ends of their partitions, topic by
     * topic.
     *
     * @throws SqlMirrorException if Kafka does not answer, or lacks the topics
     */
    public String mark() {
        return connectors.stream()
                .map(connector -> new TreeMap<>(ends(connector))
                        .values().stream().map(String::valueOf).collect(Collectors.joining(",")))
                .collect(Collectors.joining(";"));
    }

    /**
     * Returns true if SQL has all records before the mark.
     *
     * @throws IllegalArgumentException if the mark does not come from {@link #mark()}
     * @throws SqlMirrorException if Kafka does not answer
     */
    public boolean hasPassed(String mark) {
        String[] topics = mark.split(";", -1);
        if (topics.length != connectors.size()) {
            throw new IllegalArgumentException("'" + mark + "' is no mark");
        }
        for (int i = 0; i < topics.length; i++) {
            if (!hasPassed(connectors.get(i), offsets(topics[i]))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the offset before which a sink has read each of these partitions; no limit for a topic that none reads,
     * and nothing for a partition that it has not begun to read.
     *
     * @throws SqlMirrorException if Kafka does not answer
     */
    public Map<TopicPartition, Long> readBefore(Set<TopicPartition> partitions) {
        Map<TopicPartition, Long> read = new HashMap<>();
        partitions.forEach(partition -> read.put(partition, Long.MAX_VALUE));
        for (ConnectorConfig connector : connectors) {
            Map<Integer, Long> taken = taken(connector);
            read.replaceAll((partition, before) -> partition.topic().equals(connector.topic())
                    ? Math.min(before, taken.getOrDefault(partition.partition(), 0L))
                    : before);
        }
        return read;
    }

    @Override
    public synchronized void close() {
        consumer.close();
        admin.close(Duration.ofSeconds(1));
    }

    private static List<Long> offsets(String text) {
        List<Long> offsets = new ArrayList<>();
        for (String offset : text.split(",", -1)) {
            offsets.add(Long.valueOf(offset));
        }
        return offsets;
    }

    private boolean hasPassed(ConnectorConfig connector, List<Long> mark) {
        Map<Integer, Long> taken = taken(connector);
        Map<TopicPartition, Long> left = new HashMap<>();
        for (int partition = 0; partition < mark.size(); partition++) {
            if (taken.getOrDefault(partition, 0L) < mark.get(partition)) {
                left.put(new TopicPartition(connector.topic(), partition), mark.get(partition));
            }
        }
        return left.isEmpty() || holdsNothing(left, taken);
    }

    /**
     * Returns true if there is no record between the last taken one and the mark; an open transaction may have some.
     */
    private synchronized boolean holdsNothing(Map<TopicPartition, Long> left, Map<Integer, Long> taken) {
        try {
            consumer.assign(left.keySet());
            left.keySet().forEach(partition -> seek(partition, taken.get(partition.partition())));
            for (int i = 0; i < MAX_POLLS && !isBehind(left); i++) {
                for (ConsumerRecord<byte[], byte[]> read : consumer.poll(POLL)) {
                    if (read.offset() < left.getOrDefault(new TopicPartition(read.topic(), read.partition()), 0L)) {
                        return false;
                    }
                }
            }
            return isBehind(left);
        } catch (KafkaException e) {
            throw unknown(e);
        }
    }

    private void seek(TopicPartition partition, @Nullable Long taken) {
        if (taken == null) {
            consumer.seekToBeginning(List.of(partition));
        } else {
            consumer.seek(partition, taken);
        }
    }

    private boolean isBehind(Map<TopicPartition, Long> left) {
        return left.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private Map<Integer, Long> taken(ConnectorConfig connector) {
        Map<Integer, Long> taken = new HashMap<>();
        answer(() -> admin.listConsumerGroupOffsets(Map.of(connector.group(), new ListConsumerGroupOffsetsSpec()))
                        .partitionsToOffsetAndMetadata(connector.group()))
                .forEach((partition, offset) -> {
                    if (offset != null && partition.topic().equals(connector.topic())) {
                        taken.put(partition.partition(), offset.offset());
                    }
                });
        return taken;
    }

    private Map<Integer, Long> ends(ConnectorConfig connector) {
        String topic = connector.topic();
        Map<TopicPartition, OffsetSpec> asked =
                answer(() -> admin.describeTopics(List.of(topic)).allTopicNames()).values().stream()
                        .flatMap(description -> description.partitions().stream())
                        .collect(Collectors.toMap(
                                info -> new TopicPartition(topic, info.partition()), info -> OffsetSpec.latest()));
        Map<Integer, Long> ends = new HashMap<>();
        answer(() -> admin.listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                        .all())
                .forEach((partition, end) -> ends.put(partition.partition(), end.offset()));
        return ends;
    }

    private static <T> T answer(Supplier<KafkaFuture<T>> question) {
        try {
            return question.get().get();
        } catch (ExecutionException | KafkaException e) {
            throw unknown(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unknown(e);
        }
    }

    private static SqlMirrorException unknown(Exception e) {
        return new SqlMirrorException("the progress of the sinks is unknown: " + e.getMessage(), e);
    }
}
