package dev.ebb.runtime;

import dev.ebb.api.NotReadyException;
import dev.ebb.api.Placement;
import dev.ebb.domain.event.StreamName;
import dev.ebb.topology.StreamPartition;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsMetadata;

/** Who has which partition, as Kafka Streams has heard it with the last assignment. */
final class StreamsPlacement implements Placement {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final String self;
    private final String input;
    private final int partitions;
    private final BooleanSupplier isMember;
    private final Supplier<Collection<StreamsMetadata>> members;

    /**
     * @param self the address under which others know this instance
     * @param input the topic whose partitions are meant
     * @param isMember whether this instance belongs to the group now
     * @param members what is known of all members
     */
    StreamsPlacement(
            String self,
            String input,
            int partitions,
            BooleanSupplier isMember,
            Supplier<Collection<StreamsMetadata>> members) {
        this.self = self;
        this.input = input;
        this.partitions = partitions;
        this.isMember = isMember;
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
        if (!isMember.getAsBoolean()) {
            throw new NotReadyException(
                    "the instance at " + self + " has not joined the others yet, or is stopping", RETRY_AFTER);
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
        return isMember.getAsBoolean()
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
        if (isMember.getAsBoolean()) {
            members.get().stream().map(StreamsPlacement::address).forEach(instances::add);
        }
        return instances;
    }

    /** An IPv6 address has lost its brackets on the way. */
    private static String address(StreamsMetadata member) {
        String host = member.host();
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + member.port();
    }
}
