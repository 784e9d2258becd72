package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.SliceCpu;
import dev.ebb.bench.stack.App;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.StoredRecords;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.QueryableStoreTypes;

/**
 * Retention as a competent team writes it by hand over Kafka Streams: a second store, ordered by the time from which
 * the age of events counts, or, for events with an own TTL, by the end of that TTL, and a punctuator that reads both
 * orders from their heads; both stores are logged. It has one limit for all events, own TTLs and protection; it has no
 * caps, holds, usage or audit, and remembers no change of the limit over a restart.
 */
public final class ExpiryIndexApp extends App {

    public static final String NAME = "expiry-index";

    /** The name in tables. */
    public static final String TITLE = "a store ordered by time";

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration MONTH = Duration.ofDays(30);

    private final AtomicLong maxAgeMs = new AtomicLong(MONTH.toMillis());
    private final SliceCpu slices = new SliceCpu();

    private ExpiryIndexApp(Lane lane, EbbConfig config, Duration period) {
        super(NAME, lane, new Expirations());
        // Its slices are as long as Ebb's.
        SharedSlices shared = new SharedSlices(config.get(Settings.SWEEP_SLICE));
        var settings = new ExpiryIndexProcessor.Settings(maxAgeMs::get, shared, period, expirations()::expired, slices);
        EventRows rows = new EventRows(lane.mirrorRows());
        var topology = RowTopology.of(config)
                .build(
                        ExpiryIndexProcessor.STORES,
                        () -> new ExpiryIndexProcessor(lane.records(), rows, settings, intake()::taken));
        runs(config, topology, shared::pollWait);
    }

    /** Makes an application that keeps events for 30 days. */
    public ExpiryIndexApp(Lane lane, String applicationId) {
        this(lane, lane.config(applicationId, Map.of()), PERIOD);
    }

    /** Starts an application that keeps events for 30 days on the existing topics of the lane. */
    public static ExpiryIndexApp start(Lane lane) {
        return start(lane, PERIOD, Map.of());
    }

    /**
     * Starts an application that looks for due events as often as it can.
     *
     * @param period time between two looks
     */
    public static ExpiryIndexApp practising(Lane lane, Duration period) {
        return start(lane, period, Map.of("kafka.poll.ms", "1"));
    }

    private static ExpiryIndexApp start(Lane lane, Duration period, Map<String, String> settings) {
        ExpiryIndexApp app = new ExpiryIndexApp(lane, lane.config(lane.newId(NAME), settings), period);
        app.start();
        return app;
    }

    /** Sets the limit, which holds from the next look of each task on. */
    public void limit(Duration maxAge) {
        maxAgeMs.set(maxAge.toMillis());
    }

    /** Returns the CPU time of the slices. */
    public SliceCpu slices() {
        return slices;
    }

    @Override
    protected Contents contents() {
        return new StoredRecords(lane())
                .contents(
                        streams(),
                        ExpiryIndexProcessor.EVENTS,
                        QueryableStoreTypes.<Bytes, byte[]>keyValueStore(),
                        stored -> Objects.requireNonNull(IndexedEvent.read(stored))
                                .value());
    }
}
