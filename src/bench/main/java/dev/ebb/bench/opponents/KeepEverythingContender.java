package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.config.EbbConfig;
import dev.ebb.domain.event.Event;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.topology.wire.Topics;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;

/** An application that stores every event and never deletes one. */
public final class KeepEverythingContender implements Contender {

    private final RecordReader reader;

    public KeepEverythingContender(RecordReader reader) {
        this.reader = reader;
    }

    @Override
    public String name() {
        return "keep-everything";
    }

    @Override
    public Topology topology(EbbConfig config, DrainWatch watch) {
        var configured = new ConfiguredTopology(config);
        return new KeepEverythingTopology(configured.topics(), configured.changelogSettings(), reader, watch).build();
    }

    @Override
    public Contents contents(Application application) {
        Topics topics = new ConfiguredTopology(application.config()).topics();
        Contents all = Contents.NONE;
        for (int partition = 0; partition < topics.partitions(); partition++) {
            try (var entries = entries(application.streams(), partition)) {
                while (entries.hasNext()) {
                    all = all.plus(Contents.of(event(topics, entries.next().value)));
                }
            }
        }
        return all;
    }

    private Event event(Topics topics, byte[] value) {
        if (reader.read(topics.events(), new RecordHeaders(), value) instanceof Decoded.OfEvent decoded) {
            return decoded.event();
        }
        throw new VoidRunException("keep-everything has stored something that is no event");
    }

    private static KeyValueIterator<Bytes, byte[]> entries(KafkaStreams streams, int partition) {
        return streams.store(StoreQueryParameters.fromNameAndType(
                                KeepEverythingTopology.STORE, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
                        .withPartition(partition))
                .all();
    }
}
