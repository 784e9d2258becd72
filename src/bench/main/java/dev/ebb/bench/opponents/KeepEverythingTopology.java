package dev.ebb.bench.opponents;

import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.topology.wire.Topics;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.Topology;

/**
 * The least that an event store over Kafka Streams does: decode, one logged put by (stream, id), the row for SQL. It
 * has no order, no usage, no retention.
 *
 * <pre>
 *  events ──► keep (everything) ──► mirror.events
 * </pre>
 */
final class KeepEverythingTopology {

    static final String STORE = "everything";

    private final Topics topics;
    private final Map<String, String> changelogSettings;
    private final RecordReader reader;
    private final EventRows rows;
    private final DrainWatch watch;

    KeepEverythingTopology(
            Topics topics,
            Map<String, String> changelogSettings,
            RecordReader reader,
            EventRows rows,
            DrainWatch watch) {
        this.topics = topics;
        this.changelogSettings = Map.copyOf(changelogSettings);
        this.reader = reader;
        this.rows = rows;
        this.watch = watch;
    }

    Topology build() {
        return new RowTopology(topics, changelogSettings)
                .build(List.of(STORE), () -> new KeepEverythingProcessor(reader, rows, watch));
    }
}
