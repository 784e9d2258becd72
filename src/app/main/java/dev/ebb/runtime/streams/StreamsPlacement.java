package dev.ebb.runtime.streams;

import dev.ebb.domain.event.StreamName;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.Placement;
import dev.ebb.topology.wire.StreamPartition;
import dev.ebb.topology.wire.Topics;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsMetadata;
import org.jspecify.annotations.Nullable;

/** Placement of the partitions, as Kafka Streams knows it from the last assignment. */
final class StreamsPlacement implements Placement {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final String self;
    private final String input;
    private final int partitions;
    private final Supplier<@Nullable String> absence;
    private final Supplier<Collection<StreamsMetadata>> members;

    /**
     * @param self the address under which others know this instance
     * @param topics topics of the application; partitions are those of the topic of events
     * @param absence returns the reason why this instance does not belong to the group now; null if it does
     * @param members returns known metadata of all members
     */
    StreamsPlacement(
            String self,
            Topics topics,
            Supplier<@Nullable String> absence,
            Supplier<Collection<StreamsMetadata>> members) {
        this.self = self;
        this.input = topics.events();
        this.partitions = topics.partitions();
        this.absence = absence;
        this.members = members;
    }

    @Override
    public String self() {
        return self;
    }

    @Override
    public int partitions() {
        return partitions;
    }

    @Override
    public int partitionOf(StreamName stream) {
        return StreamPartition.of(stream, partitions);
    }

    @Override
    public Map<Integer, String> keepers() {
        String reason = absence.get();
        if (reason != null) {
            throw new NotReadyException(reason, RETRY_AFTER);
        }
        Map<Integer, String> keepers = new TreeMap<>();
        members.get().forEach(member -> member.topicPartitions().stream()
                .filter(partition -> partition.topic().equals(input))
                .forEach(partition -> keepers.put(partition.partition(), address(member))));
        return keepers;
    }

    @Override
    public List<String> followers(int partition) {
        TopicPartition followed = new TopicPartition(input, partition);
        return isMember()
                ? members.get().stream()
                        .filter(member -> member.standbyTopicPartitions().contains(followed))
                        .map(StreamsPlacement::address)
                        .sorted()
                        .toList()
                : List.of();
    }

    @Override
    public Set<String> instances() {
        Set<String> instances = new TreeSet<>(Set.of(self));
        if (isMember()) {
            members.get().stream().map(StreamsPlacement::address).forEach(instances::add);
        }
        return instances;
    }

    private boolean isMember() {
        return absence.get() == null;
    }

    /** Restores the brackets that an IPv6 address has lost on the way. */
    private static String address(StreamsMetadata member) {
        String host = member.host();
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + member.port();
    }
}
