package dev.ebb.topology.source;

import dev.ebb.domain.source.Source;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.SafeTimestampExtractor;
import java.util.Map;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.Stores;

/**
 * The topology of one source, an application of its own beside the engine (F-12).
 *
 * <pre>
 *                                 ┌─► events of Ebb
 *  topic of the source ──► source ┼─► rejected
 *                      (rows)     └─► topic of the source, for records that a tombstone overtook
 * </pre>
 */
public final class SourceTopology {

    /** Returns the name of the topic in which an application of that id keeps the memory of a table. */
    public static String rowsLog(String applicationId) {
        return applicationId + "-" + TableMemory.STORE + "-changelog";
    }

    static final String EVENTS_SINK = "events-sink";
    static final String REJECTED_SINK = "rejected-sink";
    static final String AGAIN_SINK = "again-sink";

    private static final String INPUT = "input";
    private static final String SOURCE = "source";

    private SourceTopology() {}

    /** @param changelogConfig the settings of the changelog of the rows */
    public static Topology build(SourceWork work, Map<String, String> changelogConfig) {
        Source source = work.mapping().source();
        Topology topology = new Topology();
        topology.addSource(
                AutoOffsetReset.earliest(),
                INPUT,
                new SafeTimestampExtractor(),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                source.topic());
        topology.addProcessor(SOURCE, () -> new SourceProcessor(work), INPUT);
        addSink(topology, EVENTS_SINK, work.topics().events());
        addSink(topology, REJECTED_SINK, work.topics().rejected());
        if (source.isTable()) {
            addSink(topology, AGAIN_SINK, source.topic());
            topology.addStateStore(
                    Stores.keyValueStoreBuilder(
                                    Stores.persistentKeyValueStore(TableMemory.STORE),
                                    Serdes.Bytes(),
                                    Serdes.ByteArray())
                            .withCachingDisabled()
                            .withLoggingEnabled(changelogConfig),
                    SOURCE);
        }
        return topology;
    }

    private static void addSink(Topology topology, String name, String topic) {
        topology.addSink(
                name,
                topic,
                new Addressed.KeySerializer(),
                new ByteArraySerializer(),
                new Addressed.Partitioner(),
                SOURCE);
    }
}
