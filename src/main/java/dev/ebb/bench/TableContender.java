package dev.ebb.bench;

import dev.ebb.config.EbbConfig;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.Stores;

/** {@code builder.table()} as the developer guide shows it, and nothing else; it needs an input that is keyed by event. */
final class TableContender implements Contender {

    private final Lane lane;

    TableContender(Lane lane) {
        this.lane = lane;
    }

    @Override
    public String name() {
        return "table";
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
