package dev.ebb.bench.opponents;

import dev.ebb.bench.stack.AlwaysCaughtUp.Taken;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.topology.wire.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.Topology;

/**
 * Retention as a competent team writes it by hand over Kafka Streams: a second store, ordered by the time from which
 * the age of events counts, or, for events with an own TTL, by the end of that TTL, and a punctuator that reads both
 * orders from their heads; both stores are logged. It has one limit for all events, own TTLs and protection; it has no
 * caps, holds, usage or audit, and remembers no change of the limit over a restart.
 *
 * <pre>
 *  events ──► expire (by-identity, by-time) ──► mirror.events (rows, tombstones)
 * </pre>
 */
final class ExpiryIndexTopology {

    static final String EVENTS = "by-identity";
    static final String INDEX = "by-time";

    private final Topics topics;
    private final Map<String, String> changelogSettings;
    private final RecordReader reader;
    private final Settings settings;
    private final EventRows rows;
    private final Taken taken;

    ExpiryIndexTopology(
            Topics topics,
            Map<String, String> changelogSettings,
            RecordReader reader,
            EventRows rows,
            Settings settings,
            Taken taken) {
        this.topics = topics;
        this.changelogSettings = Map.copyOf(changelogSettings);
        this.reader = reader;
        this.settings = settings;
        this.rows = rows;
        this.taken = taken;
    }

    /**
     * Settings of the topology.
     *
     * @param maxAgeMs the limit, read in each slice
     * @param slices the time of the tasks of a thread
     * @param period time between two slices while nothing is due
     * @param expiries observer, called on stream threads
     */
    record Settings(LongSupplier maxAgeMs, SharedSlices slices, Duration period, Expiries expiries) {}

    Topology build() {
        return new RowTopology(topics, changelogSettings)
                .build(List.of(EVENTS, INDEX), () -> new ExpiryIndexProcessor(reader, rows, settings, taken));
    }
}
