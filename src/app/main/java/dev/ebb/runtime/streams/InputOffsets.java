package dev.ebb.runtime.streams;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.runtime.kafka.Answers;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.runtime.life.RefusedException;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.jspecify.annotations.Nullable;

/**
 * Compares the offsets of the consumer group with the input that the state has taken in. A broker forgets the offsets
 * of a group that has been stopped for some days. Kafka Streams would then start from the beginning and take in again
 * events that were deleted long ago; the same happens after offsets were set back. Throws {@link KafkaException} if the
 * broker does not answer. Not thread-safe.
 */
public final class InputOffsets {

    /** Without exactly once, an offset is committed after the state, as much later as the broker takes to answer. */
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

    /** Returns the ids of the input topics, by name. */
    public Map<String, String> topicIds() {
        List<String> names =
                List.of(topics.events(), topics.rekey(), topics.commands(), topics.policies(), topics.assessments());
        Map<String, String> ids = new HashMap<>();
        Answers.of(admin.describeTopics(names).allTopicNames())
                .forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
        return ids;
    }

    /** Returns the partitions that would be taken in again, in order; empty if all is well, as on a first start. */
    public List<LostOffset> check() {
        return compare(true).lost();
    }

    /**
     * Returns the partitions that a start would take in again, and input that is gone. A start need not read the
     * changelog of a partition that has an offset: if that offset is behind the state, the running task refuses the
     * first record.
     */
    public Comparison atStart() {
        return compare(false);
    }

    private Comparison compare(boolean isThorough) {
        GroupProgress progress = GroupProgress.of(admin, group, inputs());
        Map<TopicPartition, InputMemory> memories = memories(progress, isThorough);
        Map<String, String> ids = topicIds();
        List<LostOffset> lost = new ArrayList<>();
        List<String> gone = new ArrayList<>();
        for (TopicPartition input : inputs()) {
            InputMemory memory = memories.getOrDefault(changelogOf(input), InputMemory.NONE);
            Long next = memory.next(input.topic(), ids);
            if (next != null && isLost(input, next, progress)) {
                lost.add(new LostOffset(input, progress.committed(input), Math.min(next, progress.end(input))));
            }
            if (input.topic().equals(topics.events())) {
                addGone(input, next, progress, gone);
            }
        }
        return new Comparison(lost.isEmpty() ? lost : stillLost(lost), gone);
    }

    private Map<TopicPartition, InputMemory> memories(GroupProgress progress, boolean isThorough) {
        List<TopicPartition> asked = inputs().stream()
                .filter(input -> progress.end(input) > 0 && (isThorough || progress.isMissing(input)))
                .map(this::changelogOf)
                .distinct()
                .toList();
        return InputMemory.read(admin, readers, asked);
    }

    private static boolean isLost(TopicPartition input, long next, GroupProgress progress) {
        return progress.from(input) < Math.min(next, progress.end(input));
    }

    /** Adds input that the retention of its topic deleted before it was taken in; nothing can bring it back. */
    private static void addGone(TopicPartition events, @Nullable Long next, GroupProgress progress, List<String> gone) {
        Long committed = progress.committed(events);
        Long from = committed == null ? next : committed;
        long begin = progress.begin(events);
        if (from != null && from < begin) {
            gone.add("the records of " + events + " from offset " + from + " to " + (begin - 1)
                    + " were deleted by its retention before they were taken in");
        }
    }

    /** Another instance may have started for the first time meanwhile, and have committed both state and offset. */
    private List<LostOffset> stillLost(List<LostOffset> lost) {
        pause();
        GroupProgress progress = GroupProgress.of(admin, group, inputs());
        return lost.stream()
                .filter(offset -> isLost(offset.partition(), offset.next(), progress))
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
     * Sets the offsets that {@link #check} finds to the positions at which the state continues.
     *
     * @return the changes, one sentence each
     * @throws RefusedException if instances run
     */
    public List<String> restore(List<LostOffset> lost) {
        Map<TopicPartition, OffsetAndMetadata> known = new TreeMap<>(LostOffset.ORDER);
        lost.forEach(offset -> known.put(offset.partition(), new OffsetAndMetadata(offset.next())));
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

    private TopicPartition changelogOf(TopicPartition input) {
        boolean isOfGate =
                input.topic().equals(topics.policies()) || input.topic().equals(topics.assessments());
        String store = isOfGate ? Nodes.GATE_STORE : StoreNames.EVENTS;
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

    /**
     * Position of the group in the input.
     *
     * @param lost the partitions that would be taken in again, in order
     * @param gone input that was deleted before it was taken in, one sentence each
     */
    public record Comparison(List<LostOffset> lost, List<String> gone) {}
}
