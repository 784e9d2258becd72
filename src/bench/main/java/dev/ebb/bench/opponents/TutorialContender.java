package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.StoredRecords;
import dev.ebb.config.EbbConfig;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.ValueAndTimestamp;

/** A table with the tutorial's expiry. Needs an input that is keyed by event. */
public final class TutorialContender implements Contender {

    private static final long MONTH_MS = Duration.ofDays(30).toMillis();

    private final Lane lane;
    private final LongSupplier maxAgeMs;
    private final Duration scanEvery;
    private final TutorialTopology.Scans scans;
    private final boolean hasRows;

    private TutorialContender(
            Lane lane, LongSupplier maxAgeMs, Duration scanEvery, TutorialTopology.Scans scans, boolean hasRows) {
        this.lane = lane;
        this.maxAgeMs = maxAgeMs;
        this.scanEvery = scanEvery;
        this.scans = scans;
        this.hasRows = hasRows;
    }

    public TutorialContender(Lane lane, LongSupplier maxAgeMs, Duration scanEvery, TutorialTopology.Scans scans) {
        this(lane, maxAgeMs, scanEvery, scans, false);
    }

    /** Makes a contender in which nothing expires; its scans are as frequent as in the tutorial. */
    public TutorialContender(Lane lane) {
        this(lane, false);
    }

    private TutorialContender(Lane lane, boolean hasRows) {
        this(lane, () -> MONTH_MS, Duration.ofSeconds(5), (partition, cpuNanos) -> {}, hasRows);
    }

    /** Returns a contender that also decodes each event and sends its row for SQL. */
    public static TutorialContender withRows(Lane lane) {
        return new TutorialContender(lane, true);
    }

    @Override
    public String name() {
        return hasRows ? "tutorial-with-rows" : "tutorial";
    }

    @Override
    public Map<String, String> settings() {
        return TableContender.KAFKAS_CACHE;
    }

    @Override
    public Topology topology(EbbConfig config, DrainWatch watch) {
        return new TutorialTopology(lane.topics().events(), maxAgeMs, scanEvery, watch, scans, rows()).build();
    }

    private Optional<TutorialRows.Way> rows() {
        return hasRows
                ? Optional.of(new TutorialRows.Way(
                        lane.topics().events(),
                        lane.records(),
                        new EventRows(lane.mirrorRows()),
                        lane.topics().mirrorEvents()))
                : Optional.empty();
    }

    @Override
    public Contents contents(Application application) {
        Contents all = Contents.NONE;
        StoredRecords records = new StoredRecords(lane);
        for (int partition = 0; partition < lane.partitions(); partition++) {
            try (var entries = table(application, partition).all()) {
                while (entries.hasNext()) {
                    all = all.plus(records.contents(entries.next().value.value()));
                }
            }
        }
        return all;
    }

    /** Returns true if everything has expired. */
    public boolean isEmpty(Application application) {
        for (int partition = 0; partition < lane.partitions(); partition++) {
            try (var entries = table(application, partition).all()) {
                if (entries.hasNext()) {
                    return false;
                }
            }
        }
        return true;
    }

    private static ReadOnlyKeyValueStore<byte[], ValueAndTimestamp<byte[]>> table(
            Application application, int partition) {
        return application
                .streams()
                .store(StoreQueryParameters.fromNameAndType(
                                TutorialTopology.TABLE, QueryableStoreTypes.<byte[], byte[]>timestampedKeyValueStore())
                        .withPartition(partition));
    }
}
