package dev.ebb.runtime.watch;

import dev.ebb.runtime.kafka.Answers;
import dev.ebb.runtime.kafka.LogTail;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Number of records that a consumer group has not taken yet. Offsets alone would never come to zero, because each
 * transaction ends in a marker that no consumer gets to see: what little is left is looked at. Not thread-safe.
 */
public final class GroupLag {

    /** Above this the lag is not nearly zero, and a few markers do not matter. */
    private static final long LOOKED_AT = 1000;

    private final Consumer<byte[], byte[]> reader;
    private final Admin admin;
    private final String group;
    private final List<String> topics;
    private Map<TopicPartition, Gap> known = Map.of();

    /** @param reader reads committed records; used by one thread at a time */
    public GroupLag(Consumer<byte[], byte[]> reader, Admin admin, String group, List<String> topics) {
        this.reader = reader;
        this.admin = admin;
        this.group = group;
        this.topics = List.copyOf(topics);
    }

    /** The lag over all partitions; throws a {@link KafkaException} if the broker does not answer. */
    public long measure() {
        Map<TopicPartition, Long> committed = committed();
        Map<TopicPartition, Long> begins = offsets(OffsetSpec.earliest());
        Map<TopicPartition, Gap> gaps = new HashMap<>();
        offsets(OffsetSpec.latest()).forEach((partition, end) -> {
            long begin = begins.getOrDefault(partition, 0L);
            gaps.put(partition, gap(partition, Math.max(begin, committed.getOrDefault(partition, 0L)), end));
        });
        known = gaps;
        return gaps.values().stream().mapToLong(Gap::records).sum();
    }

    private Gap gap(TopicPartition partition, long from, long end) {
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
        Map<TopicPartition, Long> committed = new HashMap<>();
        Answers.of(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                .forEach((partition, offset) -> {
                    if (offset != null) {
                        committed.put(partition, offset.offset());
                    }
                });
        return committed;
    }

    private Map<TopicPartition, Long> offsets(OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        Answers.of(admin.describeTopics(topics).allTopicNames()).forEach((topic, description) -> description
                .partitions()
                .forEach(info -> asked.put(new TopicPartition(topic, info.partition()), spec)));
        Map<TopicPartition, Long> offsets = new HashMap<>();
        Answers.of(admin.listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                        .all())
                .forEach((partition, info) -> offsets.put(partition, info.offset()));
        return offsets;
    }

    private record Gap(long from, long end, long records) {}
}
