package dev.ebb.runtime.streams;

import dev.ebb.runtime.kafka.Answers;
import dev.ebb.store.layout.TakenIn;
import dev.ebb.store.layout.TakenIn.Position;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Input of a task, as the state remembers it.
 *
 * @param positions positions at which the input continues, by topic
 */
record InputMemory(Map<String, Position> positions) {

    static final InputMemory NONE = new InputMemory(Map.of());

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Reads changelogs; a missing one counts as empty. */
    static Map<TopicPartition, InputMemory> read(
            Admin admin, Supplier<Consumer<byte[], byte[]>> readers, Collection<TopicPartition> changelogs) {
        Map<TopicPartition, InputMemory> memories = new HashMap<>();
        if (!changelogs.isEmpty()) {
            try (Consumer<byte[], byte[]> reader = readers.get()) {
                changelogs.forEach(changelog ->
                        memories.put(changelog, exists(admin, changelog.topic()) ? read(reader, changelog) : NONE));
            }
        }
        return memories;
    }

    /** Returns the offset at which the topic continues; null if none is remembered, or the topic was made again. */
    @Nullable
    Long next(String topic, Map<String, String> ids) {
        Position position = positions.get(topic);
        return position != null && position.topicId().equals(ids.get(topic)) ? (Long) position.next() : null;
    }

    private static InputMemory read(Consumer<byte[], byte[]> reader, TopicPartition changelog) {
        reader.assign(List.of(changelog));
        reader.seekToBeginning(List.of(changelog));
        long end = reader.endOffsets(List.of(changelog)).getOrDefault(changelog, 0L);
        InputMemory memory = NONE;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        long before = -1;
        while (reader.position(changelog) < end) {
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
                memory = memory.with(record);
            }
            long position = reader.position(changelog);
            deadline = position > before ? System.nanoTime() + PATIENCE.toNanos() : deadline;
            before = position;
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException(changelog + " could not be read");
            }
        }
        return memory;
    }

    private InputMemory with(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value();
        return value != null && TakenIn.isKey(record.key()) ? new InputMemory(TakenIn.decode(value)) : this;
    }

    private static boolean exists(Admin admin, String topic) {
        try {
            return Answers.of(admin.listTopics().names()).contains(topic);
        } catch (UnknownTopicOrPartitionException e) {
            return false;
        }
    }
}
