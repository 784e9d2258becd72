package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.StoredRecords;
import dev.ebb.config.EbbConfig;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;

/** An application that stores every event and never deletes one. */
public final class KeepEverythingContender implements Contender {

    private final Lane lane;

    public KeepEverythingContender(Lane lane) {
        this.lane = lane;
    }

    @Override
    public String name() {
        return "keep-everything";
    }

    @Override
    public Topology topology(EbbConfig config, DrainWatch watch) {
        var configured = new ConfiguredTopology(config);
        return new KeepEverythingTopology(
                        configured.topics(),
                        configured.changelogSettings(),
                        lane.records(),
                        new EventRows(lane.mirrorRows()),
                        watch)
                .build();
    }

    @Override
    public Contents contents(Application application) {
        Contents all = Contents.NONE;
        StoredRecords records = new StoredRecords(lane);
        for (int partition = 0; partition < lane.partitions(); partition++) {
            try (var entries = entries(application.streams(), partition)) {
                while (entries.hasNext()) {
                    all = all.plus(records.contents(entries.next().value));
                }
            }
        }
        return all;
    }

    private static KeyValueIterator<Bytes, byte[]> entries(KafkaStreams streams, int partition) {
        return streams.store(StoreQueryParameters.fromNameAndType(
                                KeepEverythingTopology.STORE, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
                        .withPartition(partition))
                .all();
    }
}
