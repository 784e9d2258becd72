package dev.ebb.cli.events;

import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.OpenWork;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.wire.events.StreamView;
import picocli.CommandLine.Command;

@Command(name = "describe", footer = "  ebb stream describe orders/eu-1")
final class StreamDescribeCommand extends ReadCommand<StreamView.Detail> {

    StreamDescribeCommand() {
        super(StreamView.SHOW, StreamDescribeCommand::table);
    }

    private static void table(Terminal terminal, StreamView.Detail detail) {
        contents(detail.usage(), detail.standing()).print(terminal);
        terminal.out().println();
        PolicyTables.effective(detail.policy()).print(terminal);
    }

    private static Table contents(StreamView usage, StreamView.Standing standing) {
        Table table = Table.ofFacts()
                .fact("stream", usage.stream())
                .fact("namespace", usage.namespace())
                .fact("parent", standing.parent())
                .fact("execution", standing.currentExecution())
                .fact("state", new Cell(OpenWork.text(standing), standing.open() ? Style.YELLOW : Style.PLAIN))
                .fact("events", Texts.count(usage.events()))
                .fact("bytes", Texts.bytes(usage.bytes()))
                .fact("protected", Texts.count(usage.protectedEvents()))
                .fact("own TTL", Texts.count(usage.timedEvents()))
                .fact("kept for ever", Texts.count(usage.infiniteEvents()))
                .fact("oldest", Texts.time(usage.oldest()))
                .fact("newest", Texts.time(usage.newest()));
        StreamView.Waiting waiting = standing.waitingEnds();
        if (waiting != null) {
            String sentence = new EndsInWaiting(waiting.ends(), waiting.executions()).sentence();
            table.fact("waiting", new Cell(sentence, Style.YELLOW));
        }
        if (usage.noticeUntil() != null) {
            table.fact("notice of an undo", "until " + Texts.time(usage.noticeUntil()));
        }
        return usage.quarantine() == null ? table : table.fact("quarantined", new Cell(usage.quarantine(), Style.RED));
    }
}
