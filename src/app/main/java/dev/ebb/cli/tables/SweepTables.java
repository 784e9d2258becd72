package dev.ebb.cli.tables;

import dev.ebb.cli.terminal.Columns;
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

/** Sweeps, for people. */
public final class SweepTables {

    private SweepTables() {}

    public static Table list(List<SweepView> sweeps) {
        return new Columns<SweepView>()
                .time("STARTED", SweepView::started)
                .right("TOOK", sweep -> took(sweep.durationMs()))
                .left("TRIGGER", SweepView::trigger)
                .left("MODE", SweepView::mode)
                .left("PARTITIONS", sweep -> sweep.partitions().stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(",")))
                .count("STREAMS", SweepView::streamsProcessed)
                .count("EVENTS", SweepView::eventsDeleted)
                .bytes("BYTES", SweepView::bytesDeleted)
                .count("WOULD GO", SweepView::eventsWouldDelete)
                .left("ENDED", sweep -> sweep.stoppedEarly() ? new Cell("early", Style.YELLOW) : "done")
                .left("ID", SweepView::id)
                .table(sweeps);
    }

    /** Returns events and bytes by cause. */
    public static Table causes(Map<String, TallyView> deleted) {
        return new Columns<Map.Entry<String, TallyView>>()
                .left("CAUSE", Map.Entry::getKey)
                .count("EVENTS", cause -> cause.getValue().events())
                .bytes("BYTES", cause -> cause.getValue().bytes())
                .table(deleted.entrySet());
    }

    static String took(long ms) {
        return ms < 2000 ? ms + " ms" : Texts.length(Duration.ofMillis(ms));
    }
}
