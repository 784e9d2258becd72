package dev.ebb.sql;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Counts the mirror records that the sinks have not taken yet. A sink never commits the markers after the last record
 * of a transaction, so the difference of offsets never falls to 0; where the difference is small or constant, its
 * records are read and counted. {@link #lags()} may be called from any thread, {@link #measure()} from one at a time.
 */
final class MirrorLag implements AutoCloseable {

    private static final long ALWAYS_COUNTED = 100;
    private static final long COUNTED_AT_REST = 50_000;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int MAX_POLLS = 20;

    private final List<ConnectorConfig> connectors;
    private final Admin admin;
    private final Consumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Gap> before = new HashMap<>();
    private volatile Map<String, Long> lags = Map.of();

    /**
     * @param admin a client that is closed with this object
     * @param consumer reads committed records only and belongs to no group; closed with this object
     */
    MirrorLag(List<ConnectorConfig> connectors, Admin admin, Consumer<byte[], byte[]> consumer) {
        this.connectors = List.copyOf(connectors);
        this.admin = admin;
        this.consumer = consumer;
    }

    /**
     * Returns the records not taken yet, by connector; empty before the first measurement, and while Kafka does not
     * answer.
     */
    Map<String, Long> lags() {
        return lags;
    }

    /**
     * Measures the lags.
     *
     * @throws SqlMirrorException if Kafka does not answer, or lacks the topics
     */
    void measure() {
        try {
            Map<String, Long> measured = new HashMap<>();
            for (ConnectorConfig connector : connectors) {
                measured.put(connector.name(), lag(connector));
            }
            lags = Map.copyOf(measured);
        } catch (ExecutionException | KafkaException e) {
            lags = Map.of();
            throw new SqlMirrorException("the lag of the mirror is unknown: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        consumer.close();
        admin.close(Duration.ofSeconds(1));
    }

    private long lag(ConnectorConfig connector) throws ExecutionException, InterruptedException {
        Map<TopicPartition, Gap> gaps = gaps(connector);
        long sum = 0;
        List<TopicPartition> toCount = new ArrayList<>();
        for (Map.Entry<TopicPartition, Gap> gap : gaps.entrySet()) {
            if (isToCount(gap.getKey(), gap.getValue())) {
                toCount.add(gap.getKey());
            } else {
                sum += gap.getValue().size();
            }
        }
        before.putAll(gaps);
        return toCount.isEmpty() ? sum : sum + count(toCount, gaps);
    }

    private boolean isToCount(TopicPartition partition, Gap gap) {
        boolean isAtRest = gap.equals(before.get(partition));
        return gap.size() > 0 && gap.size() <= (isAtRest ? COUNTED_AT_REST : ALWAYS_COUNTED);
    }

    private Map<TopicPartition, Gap> gaps(ConnectorConfig connector) throws ExecutionException, InterruptedException {
        Set<TopicPartition> partitions = partitions(connector.topic());
        Map<TopicPartition, Long> ends = offsets(partitions, OffsetSpec.latest());
        Map<TopicPartition, Long> starts = offsets(partitions, OffsetSpec.earliest());
        Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(
                        Map.of(connector.group(), new ListConsumerGroupOffsetsSpec()))
                .partitionsToOffsetAndMetadata(connector.group())
                .get();
        return partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> {
            OffsetAndMetadata taken = committed.get(partition);
            long start = starts.getOrDefault(partition, 0L);
            return new Gap(taken == null ? start : Math.max(start, taken.offset()), ends.getOrDefault(partition, 0L));
        }));
    }

    private Set<TopicPartition> partitions(String topic) throws ExecutionException, InterruptedException {
        return admin.describeTopics(Set.of(topic)).allTopicNames().get().values().stream()
                .flatMap(description -> description.partitions().stream())
                .map(info -> new TopicPartition(topic, info.partition()))
                .collect(Collectors.toSet());
    }

    private Map<TopicPartition, Long> offsets(Set<TopicPartition> partitions, OffsetSpec spec)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> asked =
                partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> spec));
        Map<TopicPartition, ListOffsetsResultInfo> answer = admin.listOffsets(
                        asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all()
                .get();
        return answer.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue()
                .offset()));
    }

    /**
     * Counts the records from the first one not taken to the end; partitions that cannot be read in time count by
     * offsets.
     */
    private long count(List<TopicPartition> partitions, Map<TopicPartition, Gap> gaps) {
        consumer.assign(partitions);
        partitions.forEach(
                partition -> consumer.seek(partition, gap(gaps, partition).taken()));
        long records = 0;
        for (int i = 0; i < MAX_POLLS && left(partitions, gaps) > 0; i++) {
            for (ConsumerRecord<byte[], byte[]> read : consumer.poll(POLL)) {
                records += read.offset()
                                < gap(gaps, new TopicPartition(read.topic(), read.partition()))
                                        .end()
                        ? 1
                        : 0;
            }
        }
        return records + left(partitions, gaps);
    }

    private long left(List<TopicPartition> partitions, Map<TopicPartition, Gap> gaps) {
        return partitions.stream()
                .mapToLong(partition -> Math.max(0, gap(gaps, partition).end() - consumer.position(partition)))
                .sum();
    }

    private static Gap gap(Map<TopicPartition, Gap> gaps, TopicPartition partition) {
        return gaps.getOrDefault(partition, new Gap(0, 0));
    }

    /** Offsets from the first record not taken to the end of the committed records. */
    private record Gap(long taken, long end) {

        long size() {
            return Math.max(0, end - taken);
        }
    }
}
