package dev.ebb.runtime.streams;

import dev.ebb.runtime.kafka.Answers;
import dev.ebb.runtime.kafka.LogSpan;
import dev.ebb.store.layout.Bundle;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.layout.TakenIn;
import dev.ebb.store.layout.TakenIn.Position;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Input of a task, as the state remembers it.
 *
 * @param positions positions at which the input continues, by topic
 */
record InputMemory(Map<String, Position> positions) {

    static final InputMemory NONE = new InputMemory(Map.of());

    /** The number of offsets, from the end, that are read first. */
    private static final long FIRST_PORTION = 1000;

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

    /** Reads backwards: each transaction that takes input in writes the progress anew. */
    private static InputMemory read(Consumer<byte[], byte[]> reader, TopicPartition changelog) {
        List<TopicPartition> one = List.of(changelog);
        reader.assign(one);
        long begin = reader.beginningOffsets(one).getOrDefault(changelog, 0L);
        long to = reader.endOffsets(one).getOrDefault(changelog, 0L);
        InputMemory memory = NONE;
        for (long most = FIRST_PORTION; memory.positions.isEmpty() && to > begin; most *= 2) {
            long from = Math.max(begin, to - most);
            memory = read(reader, changelog, from, to);
            to = from;
        }
        return memory;
    }

    private static InputMemory read(Consumer<byte[], byte[]> reader, TopicPartition changelog, long from, long to) {
        InputMemory[] memory = {NONE};
        new LogSpan(changelog, from, to).read(reader, record -> memory[0] = memory[0].with(record));
        return memory[0];
    }

    private InputMemory with(ConsumerRecord<byte[], byte[]> record) {
        InputMemory[] newest = {this};
        BiConsumer<byte[], byte @Nullable []> change = (key, value) -> {
            if (value != null && TakenIn.isKey(key)) {
                newest[0] = new InputMemory(TakenIn.decode(value));
            }
        };
        boolean isOfEvents = record.topic().endsWith("-" + StoreNames.EVENTS + "-changelog");
        if (!isOfEvents || !Bundle.read(record.key(), record.value(), change)) {
            change.accept(record.key(), record.value());
        }
        return newest[0];
    }

    private static boolean exists(Admin admin, String topic) {
        try {
            return Answers.of(admin.listTopics().names()).contains(topic);
        } catch (UnknownTopicOrPartitionException e) {
            return false;
        }
    }
}
