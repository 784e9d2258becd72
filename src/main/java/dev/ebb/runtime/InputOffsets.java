package dev.ebb.runtime;

import dev.ebb.config.EbbConfig;
import dev.ebb.store.EventStore;
import dev.ebb.store.TakenIn;
import dev.ebb.store.TakenIn.Position;
import dev.ebb.topology.RetentionTopology;
import dev.ebb.topology.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Compares the offsets of the consumer group with what the state has taken in. A broker forgets the offsets of a group
 * that has stopped for some days; Kafka Streams would then begin at the beginning, and take in again what was deleted long
 * ago. Reads the changelog of a partition only where an offset is missing although there are records. Throws {@link
 * KafkaException} if the broker does not answer. Not thread-safe.
 */
public final class InputOffsets {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Without exactly once an offset is committed after the state, by as much as the broker takes to answer. */
    private static final Duration SECOND_LOOK = Duration.ofSeconds(1);

    private final Admin admin;
    private final Supplier<Consumer<byte[], byte[]>> readers;
    private final String group;
    private final Topics topics;

    /** @param admin stays open */
    public InputOffsets(Admin admin, KafkaClients clients, EbbConfig config) {
        this.admin = admin;
        this.readers = clients::reader;
        this.group = config.applicationId();
        this.topics = TopicPlan.topics(config);
    }

    /** The ids of the topics of the input, by name. */
    Map<String, String> topicIds() {
        List<String> names =
                List.of(topics.events(), topics.rekey(), topics.commands(), topics.policies(), topics.assessments());
        Map<String, String> ids = new HashMap<>();
        Answers.of(admin.describeTopics(names).allTopicNames())
                .forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
        return ids;
    }

    /** The partitions that would be taken in again, in order; empty if all is well, as on a first start. */
    public List<LostOffset> check() {
        Map<TopicPartition, Long> committed = committed();
        Map<TopicPartition, Long> begins = offsets(OffsetSpec.earliest());
        Map<TopicPartition, Long> ends = offsets(OffsetSpec.latest());
        List<TopicPartition> missing = inputs().stream()
                .filter(input -> isMissing(input, committed, ends)
                        && begins.getOrDefault(input, 0L) < ends.getOrDefault(input, 0L))
                .toList();
        List<LostOffset> lost = missing.isEmpty() ? List.of() : lost(missing, committed, begins, ends);
        return lost.isEmpty() ? lost : stillLost(lost);
    }

    /** Another instance may have begun meanwhile, on a first start, and have committed both state and offset. */
    private List<LostOffset> stillLost(List<LostOffset> lost) {
        pause();
        Map<TopicPartition, Long> committed = committed();
        Map<TopicPartition, Long> ends = offsets(OffsetSpec.latest());
        return lost.stream()
                .filter(offset -> isMissing(offset.partition(), committed, ends))
                .toList();
    }

    private static boolean isMissing(
            TopicPartition input, Map<TopicPartition, Long> committed, Map<TopicPartition, Long> ends) {
        Long offset = committed.get(input);
        return offset == null || offset > ends.getOrDefault(input, 0L);
    }

    private static void pause() {
        try {
            Thread.sleep(SECOND_LOOK.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
    }

    /**
     * Sets what {@link #check} finds to where the state goes on.
     *
     * @return what was done, one sentence each
     * @throws RefusedException if instances run
     */
    public List<String> restore(List<LostOffset> lost) {
        Map<TopicPartition, OffsetAndMetadata> known = new TreeMap<>(LostOffset.ORDER);
        lost.stream()
                .filter(offset -> offset.next() != null)
                .forEach(offset -> known.put(offset.partition(), new OffsetAndMetadata(offset.next())));
        try {
            Answers.of(admin.alterConsumerGroupOffsets(group, known).all());
        } catch (UnknownMemberIdException e) {
            throw new RefusedException("instances of " + group + " run; stop all of them first");
        }
        return known.entrySet().stream()
                .map(entry ->
                        "set " + entry.getKey() + " to " + entry.getValue().offset())
                .toList();
    }

    /** What retention has taken of the input before it was taken in; nothing can bring it back. */
    List<String> gone() {
        Map<TopicPartition, Long> committed = committed();
        Map<TopicPartition, Long> begins = offsets(OffsetSpec.earliest());
        List<String> gone = new ArrayList<>();
        for (int partition = 0; partition < topics.partitions(); partition++) {
            TopicPartition events = new TopicPartition(topics.events(), partition);
            long begin = begins.getOrDefault(events, 0L);
            long from = committed.getOrDefault(events, begin);
            if (from < begin) {
                gone.add("the records of " + events + " from offset " + from + " to " + (begin - 1)
                        + " were deleted by its retention before they were taken in");
            }
        }
        return gone;
    }

    private List<LostOffset> lost(
            List<TopicPartition> missing,
            Map<TopicPartition, Long> committed,
            Map<TopicPartition, Long> begins,
            Map<TopicPartition, Long> ends) {
        Map<String, String> ids = topicIds();
        Map<TopicPartition, Memory> memories = new HashMap<>();
        List<LostOffset> lost = new ArrayList<>();
        try (Consumer<byte[], byte[]> reader = readers.get()) {
            for (TopicPartition input : missing) {
                Memory memory = memories.computeIfAbsent(changelogOf(input), changelog -> read(reader, changelog));
                Position position = memory.positions().get(input.topic());
                if (position == null) {
                    boolean isUnknown = memory.positions().isEmpty() && memory.hasInput();
                    if (isUnknown && isMain(input) && !hasAny(committed, input)) {
                        lost.add(new LostOffset(input, null));
                    }
                } else if (position.topicId().equals(ids.get(input.topic()))
                        && position.next() > begins.getOrDefault(input, 0L)) {
                    lost.add(new LostOffset(input, Math.min(position.next(), ends.getOrDefault(input, 0L))));
                }
            }
        }
        return lost;
    }

    /** Of an earlier version, whose state does not remember: whether the group knows anything of the task at all. */
    private boolean hasAny(Map<TopicPartition, Long> committed, TopicPartition input) {
        return committed.keySet().stream().anyMatch(known -> changelogOf(known).equals(changelogOf(input)));
    }

    private boolean isMain(TopicPartition input) {
        return input.topic().equals(topics.events()) || input.topic().equals(topics.policies());
    }

    private TopicPartition changelogOf(TopicPartition input) {
        boolean isOfGate =
                input.topic().equals(topics.policies()) || input.topic().equals(topics.assessments());
        String store = isOfGate ? RetentionTopology.GATE_STORE : EventStore.USAGE;
        return new TopicPartition(group + "-" + store + "-changelog", input.partition());
    }

    private List<TopicPartition> inputs() {
        List<TopicPartition> inputs = new ArrayList<>();
        inputs.add(new TopicPartition(topics.policies(), 0));
        inputs.add(new TopicPartition(topics.assessments(), 0));
        for (int partition = 0; partition < topics.partitions(); partition++) {
            inputs.add(new TopicPartition(topics.events(), partition));
            inputs.add(new TopicPartition(topics.rekey(), partition));
            inputs.add(new TopicPartition(topics.commands(), partition));
        }
        return inputs;
    }

    private Map<TopicPartition, Long> committed() {
        Map<TopicPartition, Long> committed = new HashMap<>();
        // An offset that an open transaction is about to commit must be waited for.
        var options = new ListConsumerGroupOffsetsOptions().requireStable(true);
        Answers.of(admin.listConsumerGroupOffsets(group, options).partitionsToOffsetAndMetadata())
                .forEach((partition, offset) -> {
                    if (offset != null) {
                        committed.put(partition, offset.offset());
                    }
                });
        return committed;
    }

    private Map<TopicPartition, Long> offsets(OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> asked =
                inputs().stream().collect(Collectors.toMap(input -> input, input -> spec));
        Map<TopicPartition, Long> offsets = new HashMap<>();
        Answers.of(admin.listOffsets(asked).all()).forEach((partition, info) -> offsets.put(partition, info.offset()));
        return offsets;
    }

    /** What the changelog says was committed; a changelog that is not there says nothing. */
    private Memory read(Consumer<byte[], byte[]> reader, TopicPartition changelog) {
        if (!exists(changelog.topic())) {
            return new Memory(Map.of(), false);
        }
        reader.assign(List.of(changelog));
        reader.seekToBeginning(List.of(changelog));
        long end = reader.endOffsets(List.of(changelog)).getOrDefault(changelog, 0L);
        Map<String, Position> positions = Map.of();
        boolean hasInput = false;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        long before = -1;
        while (reader.position(changelog) < end) {
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
                byte[] value = record.value();
                if (TakenIn.isKey(record.key()) && value != null) {
                    positions = TakenIn.decode(value);
                } else if (value != null) {
                    hasInput |= TakenIn.isOfInput(record.key());
                }
            }
            long position = reader.position(changelog);
            deadline = position > before ? System.nanoTime() + PATIENCE.toNanos() : deadline;
            before = position;
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException(changelog + " could not be read");
            }
        }
        return new Memory(positions, hasInput);
    }

    private boolean exists(String topic) {
        try {
            return Answers.of(admin.listTopics().names()).contains(topic);
        } catch (UnknownTopicOrPartitionException e) {
            return false;
        }
    }

    private record Memory(Map<String, Position> positions, boolean hasInput) {}
}
