package dev.ebb.instance;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.port.Membership;
import dev.ebb.runtime.kafka.Answers;
import dev.ebb.runtime.kafka.LogSpan;
import dev.ebb.runtime.watch.ClockHeartbeat;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The group, through an admin client, and the heartbeats on the topic of the clock. */
public final class KafkaMembership implements Membership {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaMembership.class);
    private static final Duration LOOK_BACK = Duration.ofMinutes(5);

    /** Kafka Streams appends the number of the thread to the fixed name of its instance. */
    private static final Pattern PLACE = Pattern.compile("(?<instance>.*)-\\d+");

    private final Admin admin;
    private final Supplier<Consumer<byte[], byte[]>> readers;
    private final Group group;
    private final Clock clock;
    private final Pattern client;

    /**
     * @param admin stays open
     * @param readers creates readers, which are closed after each use
     */
    public KafkaMembership(Admin admin, Supplier<Consumer<byte[], byte[]>> readers, Group group, Clock clock) {
        this.admin = admin;
        this.readers = readers;
        this.group = group;
        this.clock = clock;
        this.client = Pattern.compile(Pattern.quote(group.applicationId())
                + "-(?<process>[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})-StreamThread-(?<thread>\\d+)-consumer");
    }

    /**
     * Names and times of the group.
     *
     * @param self the fixed name of this instance; null if it has none
     * @param input the topic whose partitions are shared
     * @param heartbeats the topic of the heartbeats, with one partition
     */
    public record Group(
            String applicationId, @Nullable String self, String input, String heartbeats, Duration heartbeatInterval) {}

    @Override
    public @Nullable String self() {
        return group.self();
    }

    @Override
    public Duration heartbeatInterval() {
        return group.heartbeatInterval();
    }

    @Override
    public List<Member> members() {
        Map<String, Member> members = new TreeMap<>();
        Answers.of(admin.describeConsumerGroups(List.of(group.applicationId())).all()).values().stream()
                .flatMap(described -> described.members().stream())
                .forEach(thread -> members.merge(nameOf(thread), member(thread), KafkaMembership::merged));
        return List.copyOf(members.values());
    }

    private static String nameOf(MemberDescription thread) {
        return fixedName(thread).orElse(thread.consumerId());
    }

    private static Optional<String> fixedName(MemberDescription thread) {
        return thread.groupInstanceId()
                .map(PLACE::matcher)
                .filter(Matcher::matches)
                .map(place -> place.group("instance"));
    }

    private Member member(MemberDescription thread) {
        TreeSet<Integer> partitions = new TreeSet<>();
        thread.assignment().topicPartitions().stream()
                .filter(partition -> partition.topic().equals(group.input()))
                .forEach(partition -> partitions.add(partition.partition()));
        Matcher own = client.matcher(thread.clientId());
        return new Member(
                nameOf(thread),
                fixedName(thread).isPresent(),
                thread.groupInstanceId().map(Set::of).orElse(Set.of()),
                own.matches()
                        ? Set.of(group.applicationId() + "-" + own.group("process") + "-" + own.group("thread"))
                        : Set.of(),
                partitions);
    }

    private static Member merged(Member one, Member other) {
        return new Member(
                one.name(),
                one.isFixed(),
                union(one.places(), other.places()),
                union(one.transactions(), other.transactions()),
                (TreeSet<Integer>) union(one.partitions(), other.partitions()));
    }

    private static <T extends Comparable<T>> Set<T> union(Set<T> one, Set<T> other) {
        Set<T> both = new TreeSet<>(one);
        both.addAll(other);
        return both;
    }

    @Override
    public Map<String, Heartbeat> heartbeats() {
        TopicPartition partition = new TopicPartition(group.heartbeats(), 0);
        Map<String, Heartbeat> last = new HashMap<>();
        try (Consumer<byte[], byte[]> reader = readers.get()) {
            reader.assign(Set.of(partition));
            long end = reader.endOffsets(Set.of(partition)).getOrDefault(partition, 0L);
            long since = clock.instant().minus(LOOK_BACK).toEpochMilli();
            OffsetAndTimestamp first =
                    reader.offsetsForTimes(Map.of(partition, since)).get(partition);
            if (first == null) {
                return last;
            }
            new LogSpan(partition, first.offset(), end)
                    .read(reader, record -> last.put(new String(record.key(), UTF_8), heartbeat(record)));
        }
        return last;
    }

    private static Heartbeat heartbeat(ConsumerRecord<byte[], byte[]> record) {
        @Nullable Header member = record.headers().lastHeader(ClockHeartbeat.MEMBER);
        return new Heartbeat(
                Instant.ofEpochMilli(record.timestamp()), member == null ? null : new String(member.value(), UTF_8));
    }

    @Override
    public void remove(Member member) {
        endTransactions(member);
        List<MemberToRemove> places =
                member.places().stream().map(MemberToRemove::new).toList();
        Answers.of(admin.removeMembersFromConsumerGroup(
                        group.applicationId(), new RemoveMembersFromConsumerGroupOptions(places))
                .all());
    }

    /** After a failure, the broker ends them when their time is over; the removal helps all the same. */
    private void endTransactions(Member member) {
        try {
            if (!member.transactions().isEmpty()) {
                Answers.of(admin.fenceProducers(member.transactions()).all());
            }
        } catch (KafkaException e) {
            LOG.atWarn()
                    .addKeyValue("member", member.name())
                    .setCause(e)
                    .log("open transactions of a dead instance cannot be ended; they time out");
        }
    }
}
