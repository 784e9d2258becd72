package dev.ebb.sources;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The commits of Ebb's readers of sources, as the broker has recorded them in its topic of offsets: for each partition of
 * a source the positions, with the broker's time at which each was written. Formats:
 * {@code OffsetCommitKey} and {@code OffsetCommitValue} of Kafka, whose first fields are the same in all versions.
 */
final class SourceCommits {

    private static final String OFFSETS = "__consumer_offsets";
    private static final String GROUP = "-sources-";
    private static final int LAST_KEY_OF_AN_OFFSET = 1;

    private final Map<TopicPartition, NavigableMap<Long, Long>> timesOfPositions = new HashMap<>();

    private SourceCommits() {}

    /** Reads all commits up to now. */
    static SourceCommits read(Consumer<byte[], byte[]> reader) {
        SourceCommits commits = new SourceCommits();
        List<TopicPartition> partitions = reader.partitionsFor(OFFSETS).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        TopicHistory.readToEnd(reader, partitions, Map.of(), commits::take);
        return commits;
    }

    private void take(ConsumerRecord<byte[], byte[]> commit) {
        ByteBuffer key = ByteBuffer.wrap(commit.key());
        if (key.getShort() > LAST_KEY_OF_AN_OFFSET || commit.value() == null) {
            return;
        }
        String group = text(key);
        TopicPartition partition = new TopicPartition(text(key), key.getInt());
        if (group.contains(GROUP)) {
            long position =
                    ByteBuffer.wrap(commit.value(), Short.BYTES, Long.BYTES).getLong();
            timesOfPositions
                    .computeIfAbsent(partition, none -> new TreeMap<>())
                    .merge(position, commit.timestamp(), Math::min);
        }
    }

    private static String text(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.getShort()];
        buffer.get(bytes);
        return new String(bytes, UTF_8);
    }

    /** Returns the time of the first commit that says that the record at an offset is read, or null if none does. */
    @Nullable
    Long timeOfReading(TopicPartition partition, long offset) {
        Map.Entry<Long, Long> first =
                timesOfPositions.getOrDefault(partition, new TreeMap<>()).higherEntry(offset);
        return first == null ? null : first.getValue();
    }
}
