package dev.ebb.runtime.watch;

import dev.ebb.runtime.kafka.Answers;
import dev.ebb.runtime.kafka.GroupOffsets;
import dev.ebb.runtime.kafka.LogTail;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Number of records that a consumer group has not taken yet. Offsets alone would never reach zero, because each
 * transaction ends in a marker that no consumer sees; a small rest is therefore read. Not thread-safe.
 */
public final class GroupLag {

    /** Distance above which the lag is far from zero, and a few markers do not matter. */
    private static final long LOOKED_AT = 1000;

    private final Consumer<byte[], byte[]> reader;
    private final Admin admin;
    private final String group;
    private final List<String> topics;
    private final Set<TopicPartition> partitions = new HashSet<>();

    /** Gaps that held no records when they were read. */
    private final Map<TopicPartition, Gap> empty = new HashMap<>();

    /** Ends of the partitions when the group was last found to have taken everything; the group does not go back. */
    private Map<TopicPartition, Long> taken = Map.of();

    /** @param reader reads committed records; used by one thread at a time */
    public GroupLag(Consumer<byte[], byte[]> reader, Admin admin, String group, List<String> topics) {
        this.reader = reader;
        this.admin = admin;
        this.group = group;
        this.topics = List.copyOf(topics);
    }

    /**
     * Returns the lag over all partitions; throws a {@link KafkaException} if the broker does not answer. While a group
     * has taken everything and no record arrives, the measurement costs one request.
     */
    public long measure() {
        if (!taken.isEmpty() && offsets(partitions(), OffsetSpec.latest()).equals(taken)) {
            return 0;
        }
        taken = Map.of();
        Map<TopicPartition, Long> committed = GroupOffsets.committed(admin, group);
        Map<TopicPartition, Long> ends = offsets(partitions(), OffsetSpec.latest());
        long lag = measure(gaps(committed, ends));
        if (lag == 0) {
            taken = ends;
        }
        return lag;
    }

    private long measure(Map<TopicPartition, Gap> gaps) {
        empty.entrySet().retainAll(gaps.entrySet());
        gaps.keySet().removeAll(empty.keySet());
        Map<TopicPartition, Long> begins = offsets(gaps.keySet(), OffsetSpec.earliest());
        long sum = 0;
        for (Map.Entry<TopicPartition, Gap> gap : gaps.entrySet()) {
            long records = records(gap.getKey(), gap.getValue(), begins.getOrDefault(gap.getKey(), 0L));
            if (records == 0) {
                empty.put(gap.getKey(), gap.getValue());
            }
            sum += records;
        }
        return sum;
    }

    private static Map<TopicPartition, Gap> gaps(Map<TopicPartition, Long> committed, Map<TopicPartition, Long> ends) {
        Map<TopicPartition, Gap> gaps = new HashMap<>();
        ends.forEach((partition, end) -> {
            long from = committed.getOrDefault(partition, 0L);
            if (end > from) {
                gaps.put(partition, new Gap(from, end));
            }
        });
        return gaps;
    }

    private long records(TopicPartition partition, Gap gap, long begin) {
        long from = Math.max(begin, gap.from);
        long distance = Math.max(0, gap.end - from);
        if (distance == 0 || distance > LOOKED_AT) {
            return distance;
        }
        OptionalLong last = new LogTail(reader).lastRecord(partition, from);
        return last.isPresent() ? last.getAsLong() + 1 - from : 0;
    }

    /** Asked only once, since the number of partitions is fixed when a topic is made. */
    private Set<TopicPartition> partitions() {
        if (partitions.isEmpty()) {
            Answers.of(admin.describeTopics(topics).allTopicNames()).forEach((topic, description) -> description
                    .partitions()
                    .forEach(info -> partitions.add(new TopicPartition(topic, info.partition()))));
        }
        return partitions;
    }

    private Map<TopicPartition, Long> offsets(Set<TopicPartition> asked, OffsetSpec spec) {
        return GroupOffsets.of(admin, asked, spec);
    }

    /** Offsets from the first one not taken to the end. */
    private record Gap(long from, long end) {}
}
