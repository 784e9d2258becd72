package dev.ebb.runtime.streams;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.runtime.kafka.Answers;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.runtime.life.RefusedException;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.layout.TakenIn;
import dev.ebb.store.layout.TakenIn.Position;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.Topics;
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
import org.jspecify.annotations.Nullable;

/**
 * Compares the offsets of the consumer group with the input that the state has taken in. A broker forgets the offsets
 * of a group that has stopped for some days; Kafka Streams would then begin at the beginning, and take in again events
 * that were deleted long ago, and so it would after they were set back. Throws {@link KafkaException} if the broker
 * does not answer. Not thread-safe.
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
        this.group = config.get(Settings.APPLICATION_ID);
        this.topics = TopicPlan.topics(config);
    }

    /** The ids of the topics of the input, by name. */
    public Map<String, String> topicIds() {
        List<String> names =
                List.of(topics.events(), topics.rekey(), topics.commands(), topics.policies(), topics.assessments());
        Map<String, String> ids = new HashMap<>();
        Answers.of(admin.describeTopics(names).allTopicNames())
                .forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
        return ids;
    }

    /** The partitions that would be taken in again, in order; empty if all is well, as on a first start. */
    public List<LostOffset> check() {
        return compare(true).lost();
    }

    /**
     * The partitions that a start would take in again, and input that is gone. A start need not read the changelog of a
     * partition that has an offset: should that lie behind the state, the running task refuses the first record.
     */
    public Comparison atStart() {
        return compare(false);
    }

    private Comparison compare(boolean isThorough) {
        Progress progress = progress();
        List<TopicPartition> asked = inputs().stream()
                .filter(input -> progress.end(input) > 0 && (isThorough || progress.isMissing(input)))
                .toList();
        Map<TopicPartition, Memory> memories = memories(asked);
        Map<String, String> ids = topicIds();
        List<LostOffset> lost = new ArrayList<>();
        List<String> gone = new ArrayList<>();
        for (TopicPartition input : inputs()) {
            Memory memory = memories.getOrDefault(changelogOf(input), Memory.NONE);
            Long next = memory.next(input.topic(), ids);
            if (isLost(input, next, progress) || isUnknown(input, memory, progress)) {
                lost.add(new LostOffset(
                        input, progress.committed(input), next == null ? null : Math.min(next, progress.end(input))));
            }
            if (input.topic().equals(topics.events())) {
                addGone(input, next, progress, gone);
            }
        }
        return new Comparison(lost.isEmpty() ? lost : stillLost(lost), gone);
    }

    private static boolean isLost(TopicPartition input, @Nullable Long next, Progress progress) {
        return next != null && progress.from(input) < Math.min(next, progress.end(input));
    }

    /** Whether an earlier version wrote the state, which remembers no offsets, and the group has forgotten the task. */
    private boolean isUnknown(TopicPartition input, Memory memory, Progress progress) {
        return memory.positions().isEmpty()
                && memory.hasInput()
                && progress.isMissing(input)
                && progress.begin(input) < progress.end(input)
                && progress.committed().entrySet().stream()
                        .noneMatch(known -> isOfStreams(known.getValue())
                                && changelogOf(known.getKey()).equals(changelogOf(input)));
    }

    /** Kafka Streams commits metadata with each offset; an offset without was set by hand, and perhaps not the others. */
    private static boolean isOfStreams(OffsetAndMetadata offset) {
        return !offset.metadata().isEmpty();
    }

    /** Adds input that retention has deleted before it was taken in; nothing can bring it back. */
    private static void addGone(TopicPartition events, @Nullable Long next, Progress progress, List<String> gone) {
        Long committed = progress.committed(events);
        Long from = committed == null ? next : committed;
        long begin = progress.begin(events);
        if (from != null && from < begin) {
            gone.add("the records of " + events + " from offset " + from + " to " + (begin - 1)
                    + " were deleted by its retention before they were taken in");
        }
    }

    /** Another instance may have begun meanwhile, on a first start, and have committed both state and offset. */
    private List<LostOffset> stillLost(List<LostOffset> lost) {
        pause();
        Progress progress = progress();
        return lost.stream()
                .filter(offset -> offset.next() == null
                        ? progress.isMissing(offset.partition())
                        : isLost(offset.partition(), offset.next(), progress))
                .toList();
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
     * @return the changes, one sentence each
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
            throw new RefusedException("instances of " + group + " run; stop all of them first. A stopped"
                    + " one may count until its session times out (kafka.session.timeout.ms)");
        }
        return known.entrySet().stream()
                .map(entry ->
                        "set " + entry.getKey() + " to " + entry.getValue().offset())
                .toList();
    }

    private Map<TopicPartition, Memory> memories(List<TopicPartition> asked) {
        Map<TopicPartition, Memory> memories = new HashMap<>();
        if (!asked.isEmpty()) {
            try (Consumer<byte[], byte[]> reader = readers.get()) {
                asked.forEach(
                        input -> memories.computeIfAbsent(changelogOf(input), changelog -> read(reader, changelog)));
            }
        }
        return memories;
    }

    private TopicPartition changelogOf(TopicPartition input) {
        boolean isOfGate =
                input.topic().equals(topics.policies()) || input.topic().equals(topics.assessments());
        String store = isOfGate ? Nodes.GATE_STORE : StoreNames.USAGE;
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

    private Progress progress() {
        return new Progress(committed(), offsets(OffsetSpec.earliest()), offsets(OffsetSpec.latest()));
    }

    private Map<TopicPartition, OffsetAndMetadata> committed() {
        Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
        // An offset that an open transaction is about to commit must be waited for.
        var options = new ListConsumerGroupOffsetsOptions().requireStable(true);
        Answers.of(admin.listConsumerGroupOffsets(group, options).partitionsToOffsetAndMetadata())
                .forEach((partition, offset) -> {
                    if (offset != null) {
                        committed.put(partition, offset);
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

    /** Offsets that were committed, by the changelog; a changelog that is not there says nothing. */
    private Memory read(Consumer<byte[], byte[]> reader, TopicPartition changelog) {
        if (!exists(changelog.topic())) {
            return Memory.NONE;
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

    /**
     * How the group stands with the input.
     *
     * @param lost the partitions that would be taken in again, in order
     * @param gone input that was deleted before it was taken in, one sentence each
     */
    public record Comparison(List<LostOffset> lost, List<String> gone) {}

    /** Input of a task as the state remembers it, and whether the state has taken in any. */
    private record Memory(Map<String, Position> positions, boolean hasInput) {

        static final Memory NONE = new Memory(Map.of(), false);

        /** Null also for a topic that was made anew. */
        @Nullable
        Long next(String topic, Map<String, String> ids) {
            Position position = positions.get(topic);
            return position != null && position.topicId().equals(ids.get(topic)) ? (Long) position.next() : null;
        }
    }

    private record Progress(
            Map<TopicPartition, OffsetAndMetadata> committed,
            Map<TopicPartition, Long> begins,
            Map<TopicPartition, Long> ends) {

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

        /** Whether there is no offset, or one beyond the end, with which Kafka Streams would begin at the beginning. */
        boolean isMissing(TopicPartition input) {
            Long offset = committed(input);
            return offset == null || offset > end(input);
        }

        /** Where a start would begin. */
        long from(TopicPartition input) {
            Long offset = committed(input);
            return offset == null || offset > end(input) ? begin(input) : Math.max(offset, begin(input));
        }
    }
}
