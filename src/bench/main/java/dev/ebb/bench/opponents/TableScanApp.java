package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.stack.App;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.StoredRecords;
import dev.ebb.config.EbbConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.QueryableStoreTypes;

/**
 * Retention of a table as tutorials of Kafka Streams show it: a punctuator that reads the whole table and
 * sends tombstones.
 */
public final class TableScanApp extends App {

    public static final String NAME = "table-scan";

    /** The name in tables. */
    public static final String TITLE = "a scan of the table";

    private final AtomicLong maxAgeMs = new AtomicLong();

    private TableScanApp(Lane lane) {
        super(NAME, lane, new Expirations());
        EbbConfig config = lane.config(lane.newId(NAME), Map.of());
        EventRows rows = new EventRows(lane.mirrorRows());
        runs(
                config,
                RowTopology.of(config)
                        .build(
                                List.of(TableScanProcessor.STORE),
                                () -> new TableScanProcessor(
                                        lane.records(), rows, maxAgeMs::get, expirations()::expired, intake()::taken)));
    }

    /** Starts an application that keeps all keys on the existing topics of the lane. */
    public static TableScanApp start(Lane lane) {
        TableScanApp app = new TableScanApp(lane);
        app.start();
        return app;
    }

    /** Sets the limit, which holds from the next second of each task on. */
    public void limit(Duration maxAge) {
        maxAgeMs.set(maxAge.toMillis());
    }

    @Override
    protected Contents contents() {
        return new StoredRecords(lane())
                .contents(
                        streams(),
                        TableScanProcessor.STORE,
                        QueryableStoreTypes.<Bytes, byte[]>keyValueStore(),
                        TableScanProcessor::value);
    }
}
