package dev.ebb.bench.opponents;

import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.topology.wire.SafeTimestampExtractor;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The pattern of Confluent's tutorial "Schedule the expiration of a KTable's records": a table of the input, a second
 * store with the time of each key's last update, and a punctuator that scans the whole second store and sends a
 * tombstone to the input for each key that is older than the limit. Values stay bytes, and caches are on, as by
 * default.
 *
 * <pre>
 *  events ──► table ──► last-updates ──► events (tombstones)
 *               └─────► rows ──────────► mirror.events, where SQL is asked for
 * </pre>
 */
public final class TutorialTopology {

    public static final String TABLE = "table";
    static final String LAST_UPDATES = "last-updates";

    private static final String EXPIRE = "expire";

    private final String events;
    private final LongSupplier maxAgeMs;
    private final Duration scanEvery;
    private final DrainWatch watch;
    private final Scans scans;
    private final Optional<TutorialRows.Way> rows;

    /**
     * @param events the input, keyed by event
     * @param maxAgeMs the limit, read at each scan
     * @param watch sees each record of the input
     * @param scans takes the cost of each scan
     * @param rows the way of its rows to SQL; empty if it writes none
     */
    TutorialTopology(
            String events,
            LongSupplier maxAgeMs,
            Duration scanEvery,
            DrainWatch watch,
            Scans scans,
            Optional<TutorialRows.Way> rows) {
        this.events = events;
        this.maxAgeMs = maxAgeMs;
        this.scanEvery = scanEvery;
        this.watch = watch;
        this.scans = scans;
        this.rows = rows;
    }

    /** Makes a topology without rows. */
    public TutorialTopology(String events, LongSupplier maxAgeMs, Duration scanEvery, DrainWatch watch, Scans scans) {
        this(events, maxAgeMs, scanEvery, watch, scans, Optional.empty());
    }

    /** Takes the cost of a scan of one task; called on stream threads. */
    @FunctionalInterface
    public interface Scans {

        void scanned(int partition, long cpuNanos);
    }

    public Topology build() {
        Serde<byte[]> bytes = Serdes.ByteArray();
        StreamsBuilder builder = new StreamsBuilder();
        KStream<byte[], byte[]> changes = builder.table(
                        events,
                        Consumed.with(bytes, bytes)
                                .withName("events-source")
                                .withTimestampExtractor(new Watched(watch))
                                .withOffsetResetPolicy(AutoOffsetReset.earliest()),
                        Materialized.<byte[], byte[]>as(Stores.persistentTimestampedKeyValueStore(TABLE))
                                .withKeySerde(bytes)
                                .withValueSerde(bytes))
                .toStream(Named.as("changes"));
        rows.ifPresent(way -> changes.process(() -> new TutorialRows(way), Named.as("rows"))
                .to(way.topic(), Produced.with(bytes, bytes).withName("rows-sink")));
        changes.process(new Expiry(maxAgeMs, scanEvery, scans), Named.as(EXPIRE))
                .to(events, Produced.with(bytes, bytes).withName("tombstones"));
        return builder.build();
    }

    /** The processor and its store, in the form of a supplier that Kafka has had since 2.6. */
    private record Expiry(LongSupplier maxAgeMs, Duration scanEvery, Scans scans)
            implements ProcessorSupplier<byte[], byte[], byte[], byte[]> {

        @Override
        public Processor<byte[], byte[], byte[], byte[]> get() {
            return new TutorialExpiry(maxAgeMs, scanEvery, scans);
        }

        @Override
        public Set<StoreBuilder<?>> stores() {
            return Set.of(Stores.keyValueStoreBuilder(
                    Stores.persistentKeyValueStore(LAST_UPDATES), Serdes.ByteArray(), Serdes.Long()));
        }
    }

    /**
     * Shows each record to the watch before it is processed: with the table's cache, not every record comes out again.
     */
    record Watched(DrainWatch watch) implements TimestampExtractor {

        private static final TimestampExtractor TIME = new SafeTimestampExtractor();

        @Override
        public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
            watch.taken(record.partition(), record.offset());
            return TIME.extract(record, partitionTime);
        }
    }
}
