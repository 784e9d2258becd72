package dev.ebb.cli.tables;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Texts;
import java.time.Duration;

/** Sweeps for people. */
public final class SweepTables {

    private SweepTables() {}

    public static Table list(JsonNode sweeps) {
        Table table = new Table()
                .left("STARTED")
                .right("TOOK")
                .left("TRIGGER")
                .left("MODE")
                .left("PARTITIONS")
                .right("STREAMS")
                .right("EVENTS")
                .right("BYTES")
                .right("WOULD GO")
                .left("ENDED")
                .left("ID");
        for (JsonNode sweep : sweeps) {
            table.row(
                    Texts.time(sweep.path("started")),
                    took(sweep.path("durationMs").asLong()),
                    sweep.path("trigger").asText(),
                    sweep.path("mode").asText(),
                    Json.compact(sweep.path("partitions")).replaceAll("[\\[\\]]", ""),
                    Texts.count(sweep.path("streamsProcessed")),
                    Texts.count(sweep.path("eventsDeleted")),
                    Texts.bytes(sweep.path("bytesDeleted")),
                    Texts.count(sweep.path("eventsWouldDelete")),
                    sweep.path("stoppedEarly").asBoolean() ? new Cell("early", Style.YELLOW) : Cell.of("done"),
                    sweep.path("id").asText());
        }
        return table;
    }

    /** Events and bytes by cause. */
    public static Table causes(JsonNode deleted) {
        Table table = new Table().left("CAUSE").right("EVENTS").right("BYTES");
        deleted.properties()
                .forEach(cause -> table.row(
                        cause.getKey(),
                        Texts.count(cause.getValue().path("events")),
                        Texts.bytes(cause.getValue().path("bytes"))));
        return table;
    }

    static String took(long ms) {
        return ms < 2000 ? ms + " ms" : Texts.length(Duration.ofMillis(ms));
    }
}
