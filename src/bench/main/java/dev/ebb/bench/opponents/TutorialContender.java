package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.StoredRecords;
import dev.ebb.config.EbbConfig;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.ValueAndTimestamp;

/** A table with the tutorial's expiry; it needs an input that is keyed by event. */
public final class TutorialContender implements Contender {

    private final Lane lane;
    private final LongSupplier maxAgeMs;
    private final Duration scanEvery;
    private final TutorialTopology.Scans scans;

    public TutorialContender(Lane lane, LongSupplier maxAgeMs, Duration scanEvery, TutorialTopology.Scans scans) {
        this.lane = lane;
        this.maxAgeMs = maxAgeMs;
        this.scanEvery = scanEvery;
        this.scans = scans;
    }

    /** Nothing expires; the scan that finds that out comes as often as in the tutorial. */
    public TutorialContender(Lane lane) {
        this(lane, () -> Duration.ofDays(30).toMillis(), Duration.ofSeconds(5), (partition, cpuNanos) -> {});
    }

    @Override
    public String name() {
        return "tutorial";
    }

    @Override
    public Map<String, String> settings() {
        return TableContender.KAFKAS_CACHE;
    }

    @Override
    public Topology topology(EbbConfig config, DrainWatch watch) {
        return new TutorialTopology(lane.topics().events(), maxAgeMs, scanEvery, watch, scans).build();
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
