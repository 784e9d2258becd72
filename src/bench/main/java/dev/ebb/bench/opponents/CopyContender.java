package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.StoredRecords;
import dev.ebb.config.EbbConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;

/**
 * Copies the records unchanged to another topic, exactly once. This is the lower bound of all ways to keep events in
 * Kafka alone, where {@code retention.ms} deletes whole segments: no state, no ids, no caps, no protection, no audit
 * and no rows.
 */
public final class CopyContender implements Contender {

    private static final String SOURCE = "events-source";
    private static final Duration POLL = Duration.ofMillis(100);

    private final Lane lane;

    public CopyContender(Lane lane) {
        this.lane = lane;
    }

    @Override
    public String name() {
        return "copy";
    }

    @Override
    public Topology topology(EbbConfig config, DrainWatch watch) {
        return new Topology()
                .addSource(
                        AutoOffsetReset.earliest(),
                        SOURCE,
                        new TutorialTopology.Watched(watch),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer(),
                        lane.topics().events())
                .addSink("copy", copy(), new ByteArraySerializer(), new ByteArraySerializer(), SOURCE);
    }

    /** Returns a topic that is made anew before each run. */
    private String copy() {
        return lane.topics().mirrorEvents();
    }

    /** Returns all records of the copy, with repeated ids as often as they came. */
    @Override
    public Contents contents(Application application) {
        Contents all = Contents.NONE;
        StoredRecords records = new StoredRecords(lane);
        List<TopicPartition> partitions = IntStream.range(0, lane.partitions())
                .mapToObj(partition -> new TopicPartition(copy(), partition))
                .toList();
        try (Consumer<byte[], byte[]> consumer = consumer()) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    all = all.plus(records.contents(record.value()));
                }
            }
        }
        return all;
    }

    private Consumer<byte[], byte[]> consumer() {
        Map<String, Object> settings = new HashMap<>(lane.clients().properties());
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
