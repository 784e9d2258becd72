package dev.ebb.bench.stack;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.serde.records.Decoded;
import java.util.function.Function;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.state.QueryableStoreType;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Reads original records that an application has stored. */
public record StoredRecords(Lane lane) {

    /** @throws VoidRunException if the value is no event */
    public Contents contents(byte[] value) {
        if (lane.records().read(lane.topics().events(), new RecordHeaders(), value)
                instanceof Decoded.OfEvent decoded) {
            return Contents.of(decoded.event());
        }
        throw new VoidRunException("something is stored that is no event");
    }

    /**
     * Returns the contents of a store, over all partitions.
     *
     * @param recordOf returns the original record of a value
     */
    public <K, V> Contents contents(
            KafkaStreams streams,
            String store,
            QueryableStoreType<ReadOnlyKeyValueStore<K, V>> type,
            Function<V, byte[]> recordOf) {
        Contents all = Contents.NONE;
        for (int partition = 0; partition < lane.partitions(); partition++) {
            var query = StoreQueryParameters.fromNameAndType(store, type).withPartition(partition);
            try (var entries = streams.store(query).all()) {
                while (entries.hasNext()) {
                    all = all.plus(contents(recordOf.apply(entries.next().value)));
                }
            }
        }
        return all;
    }
}
