package dev.ebb.bench.opponents;

import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.topology.wire.SafeTimestampExtractor;
import dev.ebb.topology.wire.Topics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The least that an event store over Kafka Streams does: decode, one logged put by (stream, id), the row for SQL. No
 * order, no usage, no retention.
 *
 * <pre>
 *  events ──► keep (everything) ──► mirror.events
 * </pre>
 */
final class KeepEverythingTopology {

    static final String STORE = "everything";
    static final String SINK = "mirror-sink";

    private static final String SOURCE = "events-source";
    private static final String KEEP = "keep";

    private final Topics topics;
    private final Map<String, String> changelogSettings;
    private final RecordReader reader;
    private final DrainWatch watch;

    KeepEverythingTopology(
            Topics topics, Map<String, String> changelogSettings, RecordReader reader, DrainWatch watch) {
        this.topics = topics;
        this.changelogSettings = Map.copyOf(changelogSettings);
        this.reader = reader;
        this.watch = watch;
    }

    Topology build() {
        MirrorRows rows = new MirrorRows();
        Serializer<RowKey> rowKey = (topic, key) -> key.bytes();
        return new Topology()
                .addSource(
                        AutoOffsetReset.earliest(),
                        SOURCE,
                        new SafeTimestampExtractor(),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer(),
                        topics.events())
                .addProcessor(KEEP, () -> new KeepEverythingProcessor(reader, rows, watch), SOURCE)
                .addStateStore(store(), KEEP)
                .addSink(
                        SINK,
                        topics.mirrorEvents(),
                        rowKey,
                        new ByteArraySerializer(),
                        (topic, key, value, partitions) -> Optional.of(Set.of(key.partition() % partitions)),
                        KEEP);
    }

    /** Uncached, as Ebb's is: each event is written once. */
    private StoreBuilder<KeyValueStore<Bytes, byte[]>> store() {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(STORE), Serdes.Bytes(), Serdes.ByteArray())
                .withCachingDisabled()
                .withLoggingEnabled(changelogSettings);
    }

    /**
     * The key of a row, and the partition of the mirror that its task writes to.
     *
     * @param bytes the key
     * @param partition the partition, from 0
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record RowKey(byte[] bytes, int partition) {}
}
