package dev.ebb.bench.opponents;

import dev.ebb.bench.opponents.EventRows.RowKey;
import dev.ebb.config.EbbConfig;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.topology.wire.SafeTimestampExtractor;
import dev.ebb.topology.wire.Topics;
import java.util.List;
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
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * One processor between the events and the rows for SQL.
 *
 * <pre>
 *  events ──► processor (stores) ──► mirror.events
 * </pre>
 */
record RowTopology(Topics topics, Map<String, String> changelogSettings) {

    private static final String SOURCE = "events-source";
    private static final String PROCESSOR = "processor";
    private static final String SINK = "mirror-sink";

    static RowTopology of(EbbConfig config) {
        ConfiguredTopology configured = new ConfiguredTopology(config);
        return new RowTopology(configured.topics(), configured.changelogSettings());
    }

    /** The partitioner has the form that Kafka is to drop, and that is its only abstract one until then. */
    @SuppressWarnings("removal")
    Topology build(List<String> stores, ProcessorSupplier<byte[], byte[], RowKey, byte[]> processor) {
        Serializer<RowKey> rowKey = (topic, key) -> key.bytes();
        Topology topology = new Topology()
                .addSource(
                        AutoOffsetReset.earliest(),
                        SOURCE,
                        new SafeTimestampExtractor(),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer(),
                        topics.events())
                .addProcessor(PROCESSOR, processor, SOURCE)
                .addSink(
                        SINK,
                        topics.mirrorEvents(),
                        rowKey,
                        new ByteArraySerializer(),
                        (topic, key, value, partitions) -> Optional.of(Set.of(key.partition() % partitions)),
                        PROCESSOR);
        stores.forEach(name -> topology.addStateStore(store(name), PROCESSOR));
        return topology;
    }

    /** Returns a builder without a cache, as for Ebb's stores: each event is written once. */
    private StoreBuilder<KeyValueStore<Bytes, byte[]>> store(String name) {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
                .withCachingDisabled()
                .withLoggingEnabled(changelogSettings);
    }
}
