package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.StoredRecords;
import dev.ebb.config.EbbConfig;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.topology.wire.SafeTimestampExtractor;
import java.util.Objects;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * The least that can be called storing: bytes in, one logged put under their key. The bytes are neither decoded nor
 * passed on. Needs an input that is keyed by event.
 */
public final class BarePutContender implements Contender {

    private static final String STORE = "bytes";
    private static final String SOURCE = "events-source";
    private static final String PUT = "put";

    private final Lane lane;

    public BarePutContender(Lane lane) {
        this.lane = lane;
    }

    @Override
    public String name() {
        return "bare-put";
    }

    @Override
    public Topology topology(EbbConfig config, DrainWatch watch) {
        var store = Stores.keyValueStoreBuilder(
                        Stores.persistentKeyValueStore(STORE), Serdes.Bytes(), Serdes.ByteArray())
                .withCachingDisabled()
                .withLoggingEnabled(new ConfiguredTopology(config).changelogSettings());
        return new Topology()
                .addSource(
                        AutoOffsetReset.earliest(),
                        SOURCE,
                        new SafeTimestampExtractor(),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer(),
                        lane.topics().events())
                .addProcessor(PUT, () -> new Put(watch), SOURCE)
                .addStateStore(store, PUT);
    }

    @Override
    public Contents contents(Application application) {
        Contents all = Contents.NONE;
        StoredRecords records = new StoredRecords(lane);
        for (int partition = 0; partition < lane.partitions(); partition++) {
            var store = application
                    .streams()
                    .store(StoreQueryParameters.fromNameAndType(
                                    STORE, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
                            .withPartition(partition));
            try (var entries = store.all()) {
                while (entries.hasNext()) {
                    all = all.plus(records.contents(entries.next().value));
                }
            }
        }
        return all;
    }

    private static final class Put implements Processor<byte[], byte[], Void, Void> {

        private final DrainWatch watch;
        private @Nullable ProcessorContext<Void, Void> context;
        private @Nullable KeyValueStore<Bytes, byte[]> store;

        Put(DrainWatch watch) {
            this.watch = watch;
        }

        @Override
        public void init(ProcessorContext<Void, Void> newContext) {
            context = newContext;
            store = newContext.getStateStore(STORE);
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            RecordMetadata metadata =
                    Objects.requireNonNull(context).recordMetadata().orElseThrow();
            watch.taken(metadata.partition(), metadata.offset());
            Objects.requireNonNull(store).put(Bytes.wrap(record.key()), record.value());
        }
    }
}
