package dev.ebb.runtime.streams;

import dev.ebb.runtime.kafka.Answers;
import dev.ebb.runtime.kafka.StableOffsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a consumer group with its input.
 *
 * @param committed the offsets that the group has committed
 * @param begins the first offset of each partition of the input
 * @param ends the offset behind the last record of each partition
 */
record GroupProgress(
        Map<TopicPartition, OffsetAndMetadata> committed,
        Map<TopicPartition, Long> begins,
        Map<TopicPartition, Long> ends) {

    /** Asks the broker for the progress. */
    static GroupProgress of(Admin admin, String group, Collection<TopicPartition> inputs) {
        return new GroupProgress(
                StableOffsets.of(admin, group, inputs),
                offsets(admin, inputs, OffsetSpec.earliest()),
                offsets(admin, inputs, OffsetSpec.latest()));
    }

    @Nullable
    Long committed(TopicPartition input) {
        OffsetAndMetadata offset = committed.get(input);
        return offset == null ? null : (Long) offset.offset();
    }

    long begin(TopicPartition input) {
        return begins.getOrDefault(input, 0L);
    }

    long end(TopicPartition input) {
        return ends.getOrDefault(input, 0L);
    }

    /** Returns true if the offset is missing or beyond the end, where Kafka Streams would start from the beginning. */
    boolean isMissing(TopicPartition input) {
        Long offset = committed(input);
        return offset == null || offset > end(input);
    }

    /** Returns the offset at which a start would begin. */
    long from(TopicPartition input) {
        Long offset = committed(input);
        return offset == null || offset > end(input) ? begin(input) : Math.max(offset, begin(input));
    }

    private static Map<TopicPartition, Long> offsets(Admin admin, Collection<TopicPartition> inputs, OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> asked =
                inputs.stream().collect(Collectors.toMap(input -> input, input -> spec));
        Map<TopicPartition, Long> offsets = new HashMap<>();
        Answers.of(admin.listOffsets(asked).all()).forEach((partition, info) -> offsets.put(partition, info.offset()));
        return offsets;
    }
}
