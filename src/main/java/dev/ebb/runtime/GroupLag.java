package dev.ebb.runtime;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * How many records a consumer group has not taken yet. Offsets alone would never come to zero, because each transaction
 * ends in a marker that no consumer gets to see: what little is left is looked at. Not thread-safe.
 */
final class GroupLag {

    /** Above this the lag is not nearly zero, and a few markers do not matter. */
    private static final long LOOKED_AT = 1000;

    private final Consumer<byte[], byte[]> reader;
    private final Admin admin;
    private final String group;
    private final List<String> topics;
    private Map<TopicPartition, Gap> known = Map.of();

    /** @param reader reads committed records; used by one thread at a time */
    GroupLag(Consumer<byte[], byte[]> reader, Admin admin, String group, List<String> topics) {
        this.reader = reader;
        this.admin = admin;
        this.group = group;
        this.topics = List.copyOf(topics);
    }

    /** The lag over all partitions; throws a {@link KafkaException} if the broker does not answer. */
    long measure() {
        List<TopicPartition> partitions = topics.stream()
                .flatMap(topic -> reader.partitionsFor(topic).stream())
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        Map<TopicPartition, Long> committed = committed();
        Map<TopicPartition, Gap> gaps = new HashMap<>();
        reader.endOffsets(partitions)
                .forEach((partition, end) -> gaps.put(partition, gap(partition, committed.get(partition), end)));
        known = gaps;
        return gaps.values().stream().mapToLong(Gap::records).sum();
    }

    private Gap gap(TopicPartition partition, @Nullable Long committed, long end) {
        long from = committed == null ? 0 : committed;
        Gap before = known.get(partition);
        if (before != null && before.from == from && before.end == end) {
            return before;
        }
        long distance = Math.max(0, end - from);
        boolean isLookedAt = distance > 0 && distance <= LOOKED_AT;
        return new Gap(from, end, isLookedAt ? records(partition, from) : distance);
    }

    private long records(TopicPartition partition, long from) {
        OptionalLong last = new LogTail(reader).lastRecord(partition, from);
        return last.isPresent() ? last.getAsLong() + 1 - from : 0;
    }

    private Map<TopicPartition, Long> committed() {
        try {
            Map<TopicPartition, OffsetAndMetadata> offsets =
                    admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
            return offsets.entrySet().stream()
                    .filter(entry -> entry.getValue() != null)
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, entry -> entry.getValue().offset()));
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (ExecutionException e) {
            throw new KafkaException("the offsets of group " + group + " cannot be read", e.getCause());
        }
    }

    private record Gap(long from, long end, long records) {}
}
