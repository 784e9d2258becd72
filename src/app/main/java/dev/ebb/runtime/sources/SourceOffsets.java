package dev.ebb.runtime.sources;

import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceStart;
import dev.ebb.runtime.kafka.Answers;
import dev.ebb.runtime.kafka.GroupOffsets;
import dev.ebb.topology.source.SourceMark;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place up to which the group of a source has read, and the end of its topic. Not thread-safe.
 *
 * @param admin asks Kafka
 * @param group the group
 * @param topicId the id of the topic of the source
 * @param partitions the partitions of the topic
 * @param marks tells the engine which records of a log are passed over, or read again
 */
record SourceOffsets(
        Admin admin, String group, Source source, String topicId, Set<TopicPartition> partitions, SourceMarks marks) {

    private static final Logger LOG = LoggerFactory.getLogger(SourceOffsets.class);

    static SourceOffsets of(Admin admin, String group, Source source, SourceTopic topic, SourceMarks marks) {
        Set<TopicPartition> all = IntStream.range(0, topic.partitions())
                .mapToObj(partition -> new TopicPartition(source.topic(), partition))
                .collect(Collectors.toSet());
        return new SourceOffsets(admin, group, source, topic.id(), all, marks);
    }

    /** Returns the committed offsets; a partition that was never read has none. */
    Map<TopicPartition, Long> committed() {
        return GroupOffsets.committed(admin, group);
    }

    /** Returns true if an instance reads the source, also one that does not answer any more. */
    boolean areRead() {
        return GroupOffsets.hasMembers(admin, group);
    }

    /** Returns the ends of the partitions, as a reader of committed records sees them. */
    Map<TopicPartition, Long> ends() {
        return list(OffsetSpec.latest());
    }

    /**
     * Commits where a new source begins. A source without any offset begins at the earliest record by itself. Where
     * another instance has begun already, nothing changes.
     */
    void begin(SourceStart from) {
        if (from.at() == SourceStart.At.EARLIEST || !committed().isEmpty()) {
            return;
        }
        try {
            move(places(from));
        } catch (UnknownMemberIdException e) {
            LOG.atInfo().addKeyValue("group", group).log("another instance has begun to read this source");
        }
    }

    /** Returns the offset that is meant in each partition. */
    Map<TopicPartition, Long> places(SourceStart to) {
        Long timeMs = to.timeMs();
        Map<TopicPartition, Long> ends = ends();
        Map<TopicPartition, Long> starts =
                switch (to.at()) {
                    case EARLIEST -> list(OffsetSpec.earliest());
                    case LATEST -> ends;
                    case TIME -> list(OffsetSpec.forTimestamp(Objects.requireNonNull(timeMs)));
                };
        // Kafka's answer for a time behind the last record is a negative offset.
        ToLongFunction<TopicPartition> start = partition -> {
            long offset = starts.getOrDefault(partition, -1L);
            return offset < 0 ? ends.getOrDefault(partition, 0L) : offset;
        };
        return partitions.stream().collect(Collectors.toMap(partition -> partition, start::applyAsLong));
    }

    /** Returns the former and the new offset of each partition, for people. */
    String change(Map<TopicPartition, Long> moved) {
        Map<TopicPartition, Long> read = committed();
        return partitions.stream()
                .sorted(Comparator.comparing(TopicPartition::partition))
                .map(at -> "partition " + at.partition() + " from " + after(read, at) + " to " + after(moved, at))
                .collect(Collectors.joining(", "));
    }

    /**
     * Commits where the group reads on.
     *
     * @throws UnknownMemberIdException if the group has members
     */
    void move(Map<TopicPartition, Long> moved) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        moved.forEach((partition, offset) -> offsets.put(partition, new OffsetAndMetadata(offset)));
        Map<TopicPartition, Long> read = new HashMap<>(list(OffsetSpec.earliest()));
        read.putAll(committed());
        // Crashes in between must not let a record go: it is noted as passed over before it is, and as read afterwards.
        marks.send(SourceMark.Step.PASSED_OVER, source, topicId, those(read, at -> after(moved, at) > after(read, at)));
        Answers.of(admin.alterConsumerGroupOffsets(group, offsets).all());
        marks.send(SourceMark.Step.AGAIN, source, topicId, those(moved, at -> after(moved, at) <= after(read, at)));
    }

    private static long after(Map<TopicPartition, Long> offsets, TopicPartition partition) {
        return offsets.getOrDefault(partition, 0L);
    }

    private Map<Integer, Long> those(Map<TopicPartition, Long> offsets, Predicate<TopicPartition> which) {
        return partitions.stream()
                .filter(which)
                .collect(Collectors.toMap(TopicPartition::partition, partition -> after(offsets, partition)));
    }

    /** Returns the offset that Kafka means in each partition. */
    Map<TopicPartition, Long> list(OffsetSpec spec) {
        return GroupOffsets.of(admin, partitions, spec);
    }
}
