package dev.ebb.cli.tables;

import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.history.SweepView;
import dev.ebb.wire.history.SweepView.TallyView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Sweeps for people. */
public final class SweepTables {

    private SweepTables() {}

    public static Table list(List<SweepView> sweeps) {
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
        for (SweepView sweep : sweeps) {
            table.row(
                    Texts.time(sweep.started()),
                    took(sweep.durationMs()),
                    sweep.trigger(),
                    sweep.mode(),
                    sweep.partitions().stream().map(String::valueOf).collect(Collectors.joining(",")),
                    Texts.count(sweep.streamsProcessed()),
                    Texts.count(sweep.eventsDeleted()),
                    Texts.bytes(sweep.bytesDeleted()),
                    Texts.count(sweep.eventsWouldDelete()),
                    sweep.stoppedEarly() ? new Cell("early", Style.YELLOW) : Cell.of("done"),
                    sweep.id());
        }
        return table;
    }

    /** Events and bytes by cause. */
    public static Table causes(Map<String, TallyView> deleted) {
        Table table = new Table().left("CAUSE").right("EVENTS").right("BYTES");
        deleted.forEach((cause, tally) -> table.row(cause, Texts.count(tally.events()), Texts.bytes(tally.bytes())));
        return table;
    }

    static String took(long ms) {
        return ms < 2000 ? ms + " ms" : Texts.length(Duration.ofMillis(ms));
    }
}
