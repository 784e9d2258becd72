package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.bench.stack.Lane;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import java.util.Map;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.Stores;

/** {@code builder.table()} as the developer guide shows it, and nothing else. Needs an input that is keyed by event. */
public final class TableContender implements Contender {

    /** The default cache of Kafka Streams. */
    static final Map<String, String> KAFKAS_CACHE = Map.of(Settings.STATE_CACHE_BYTES.key(), "10485760");

    private final Lane lane;

    public TableContender(Lane lane) {
        this.lane = lane;
    }

    @Override
    public String name() {
        return "table";
    }

    @Override
    public Map<String, String> settings() {
        return KAFKAS_CACHE;
    }

    @Override
    public Topology topology(EbbConfig config, DrainWatch watch) {
        Serde<byte[]> bytes = Serdes.ByteArray();
        StreamsBuilder builder = new StreamsBuilder();
        builder.table(
                lane.topics().events(),
                Consumed.with(bytes, bytes)
                        .withName("events-source")
                        .withTimestampExtractor(new TutorialTopology.Watched(watch))
                        .withOffsetResetPolicy(AutoOffsetReset.earliest()),
                Materialized.<byte[], byte[]>as(Stores.persistentTimestampedKeyValueStore(TutorialTopology.TABLE))
                        .withKeySerde(bytes)
                        .withValueSerde(bytes));
        return builder.build();
    }

    @Override
    public Contents contents(Application application) {
        return new TutorialContender(lane).contents(application);
    }
}
