package dev.ebb.runtime.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * Questions about offsets of a consumer group and of partitions, as a reader of committed records sees them. Each throws a
 * {@link KafkaException} if the broker does not answer.
 */
public final class GroupOffsets {

    private GroupOffsets() {}

    /** Returns the committed offsets of the group; a partition that was never read has none. */
    public static Map<TopicPartition, Long> committed(Admin admin, String group) {
        Map<TopicPartition, Long> committed = new HashMap<>();
        Answers.of(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                .forEach((partition, offset) -> {
                    if (offset != null) {
                        committed.put(partition, offset.offset());
                    }
                });
        return committed;
    }

    /** Returns true if an application reads as that group, of whichever protocol. */
    public static boolean hasMembers(Admin admin, String group) {
        List<String> one = List.of(group);
        try {
            return Answers.of(admin.describeConsumerGroups(one).all()).values().stream()
                    .anyMatch(described -> !described.members().isEmpty());
        } catch (GroupIdNotFoundException none) {
            return hasMembersOfStreams(admin, one);
        }
    }

    private static boolean hasMembersOfStreams(Admin admin, List<String> one) {
        try {
            return Answers.of(admin.describeStreamsGroups(one).all()).values().stream()
                    .anyMatch(described -> !described.members().isEmpty());
        } catch (GroupIdNotFoundException | UnsupportedVersionException none) {
            return false;
        }
    }

    /** Returns the offset that is meant in each of the partitions; asks nothing if there are none. */
    public static Map<TopicPartition, Long> of(Admin admin, Set<TopicPartition> partitions, OffsetSpec meant) {
        if (partitions.isEmpty()) {
            return Map.of();
        }
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        partitions.forEach(partition -> asked.put(partition, meant));
        Map<TopicPartition, Long> offsets = new HashMap<>();
        Answers.of(admin.listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                        .all())
                .forEach((partition, info) -> offsets.put(partition, info.offset()));
        return offsets;
    }
}
