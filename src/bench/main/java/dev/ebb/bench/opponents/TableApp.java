package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.stack.AlwaysCaughtUp.Taken;
import dev.ebb.bench.stack.App;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.StoredRecords;
import dev.ebb.topology.wire.SafeTimestampExtractor;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.ValueAndTimestamp;

/** {@code builder.table()} as the developer guide shows it, and nothing else. Needs an input that is keyed by event. */
public final class TableApp extends App {

    public static final String NAME = "table";

    public TableApp(Lane lane, String applicationId) {
        super(NAME, lane, new Expirations());
        runs(lane.config(applicationId, Map.of()), topology(lane.topics().events(), intake()::taken));
    }

    private static Topology topology(String events, Taken taken) {
        Serde<byte[]> bytes = Serdes.ByteArray();
        StreamsBuilder builder = new StreamsBuilder();
        builder.table(
                events,
                Consumed.with(bytes, bytes)
                        .withName("events-source")
                        .withTimestampExtractor(new Watched(taken))
                        .withOffsetResetPolicy(AutoOffsetReset.earliest()),
                Materialized.<byte[], byte[]>as(Stores.persistentTimestampedKeyValueStore(NAME))
                        .withKeySerde(bytes)
                        .withValueSerde(bytes));
        return builder.build();
    }

    @Override
    protected Contents contents() {
        return new StoredRecords(lane())
                .contents(
                        streams(),
                        NAME,
                        QueryableStoreTypes.<byte[], byte[]>timestampedKeyValueStore(),
                        ValueAndTimestamp::value);
    }

    /** Shows each record before it is processed: with the table's cache, not every record comes out again. */
    private record Watched(Taken taken) implements TimestampExtractor {

        private static final TimestampExtractor TIME = new SafeTimestampExtractor();

        @Override
        public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
            taken.taken(record.partition(), record.offset());
            return TIME.extract(record, partitionTime);
        }
    }
}
