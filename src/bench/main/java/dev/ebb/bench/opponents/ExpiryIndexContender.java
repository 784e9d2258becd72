package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.stack.AlwaysCaughtUp.Taken;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.StoredRecords;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.QueryableStoreTypes;

/** Keeps events in a store ordered by stream and id, and in a second one ordered by time. */
public final class ExpiryIndexContender implements Contender {

    static final Duration PERIOD = Duration.ofSeconds(1);
    private static final long MONTH_MS = Duration.ofDays(30).toMillis();

    private final Lane lane;
    private final LongSupplier maxAgeMs;
    private final Duration period;
    private final Expiries expiries;

    /**
     * @param maxAgeMs the limit, which may change
     * @param period time between two looks for due events
     */
    ExpiryIndexContender(Lane lane, LongSupplier maxAgeMs, Duration period, Expiries expiries) {
        this.lane = lane;
        this.maxAgeMs = maxAgeMs;
        this.period = period;
        this.expiries = expiries;
    }

    /** Makes a contender in which nothing expires. */
    public ExpiryIndexContender(Lane lane) {
        this(lane, () -> MONTH_MS, PERIOD, () -> {});
    }

    @Override
    public String name() {
        return ExpiryIndexApp.NAME;
    }

    @Override
    public Topology topology(EbbConfig config, DrainWatch watch) {
        return topology(config, slices(config), watch::taken);
    }

    /** Returns the time for its slices, which are as long as Ebb's. */
    static SharedSlices slices(EbbConfig config) {
        return new SharedSlices(config.get(Settings.SWEEP_SLICE));
    }

    Topology topology(EbbConfig config, SharedSlices slices, Taken taken) {
        var configured = new ConfiguredTopology(config);
        var settings = new ExpiryIndexTopology.Settings(maxAgeMs, slices, period, expiries);
        return new ExpiryIndexTopology(
                        configured.topics(),
                        configured.changelogSettings(),
                        lane.records(),
                        new EventRows(lane.mirrorRows()),
                        settings,
                        taken)
                .build();
    }

    @Override
    public Contents contents(Application application) {
        Contents all = Contents.NONE;
        StoredRecords records = new StoredRecords(lane);
        for (int partition = 0; partition < lane.partitions(); partition++) {
            var store = application
                    .streams()
                    .store(StoreQueryParameters.fromNameAndType(
                                    ExpiryIndexTopology.EVENTS, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
                            .withPartition(partition));
            try (var entries = store.all()) {
                while (entries.hasNext()) {
                    IndexedEvent event = Objects.requireNonNull(IndexedEvent.read(entries.next().value));
                    all = all.plus(records.contents(event.value()));
                }
            }
        }
        return all;
    }
}
