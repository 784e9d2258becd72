package dev.ebb.cli.events;

import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.events.StreamView;
import picocli.CommandLine.Command;

@Command(name = "list", footer = "  ebb stream list --namespace orders --limit 20")
final class StreamListCommand extends ReadCommand<StreamView.Page> {

    StreamListCommand() {
        super(StreamView.LIST, StreamListCommand::table);
    }

    private static Cell nextDue(StreamView stream) {
        if (stream.nextDueUnknown()) {
            return new Cell("not known", Style.DIM);
        }
        return stream.nextDue() == null ? new Cell("-", Style.DIM) : Cell.of(Texts.time(stream.nextDue()));
    }

    private static Table table(StreamView.Page page) {
        return new Columns<StreamView>()
                .left("STREAM", StreamView::stream)
                .count("EVENTS", StreamView::events)
                .bytes("BYTES", StreamView::bytes)
                .count("PROTECTED", StreamView::protectedEvents)
                .count("OWN TTL", StreamView::timedEvents)
                .time("OLDEST", StreamView::oldest)
                .time("NEWEST", StreamView::newest)
                .left("HELD", stream -> stream.held() ? new Cell("held", Style.YELLOW) : Cell.of(""))
                .left("NEXT DUE", StreamListCommand::nextDue)
                .table(page.streams());
    }
}
