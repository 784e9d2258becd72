package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.stack.App;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.StoredRecords;
import dev.ebb.config.EbbConfig;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.QueryableStoreTypes;

/**
 * The least that an event store over Kafka Streams does: decode, one logged put by (stream, id), the row for SQL. It
 * has no order, no usage, no retention.
 */
public final class KeepEverythingApp extends App {

    public static final String NAME = "keep-everything";

    public KeepEverythingApp(Lane lane, String applicationId) {
        super(NAME, lane, new Expirations());
        EbbConfig config = lane.config(applicationId, Map.of());
        EventRows rows = new EventRows(lane.mirrorRows());
        runs(
                config,
                RowTopology.of(config)
                        .build(
                                List.of(KeepEverythingProcessor.STORE),
                                () -> new KeepEverythingProcessor(lane.records(), rows, intake()::taken)));
    }

    @Override
    protected Contents contents() {
        return new StoredRecords(lane())
                .contents(
                        streams(),
                        KeepEverythingProcessor.STORE,
                        QueryableStoreTypes.<Bytes, byte[]>keyValueStore(),
                        record -> record);
    }
}
