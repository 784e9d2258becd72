package dev.ebb.cli.events;

import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.CommandOptions;
import dev.ebb.cli.tables.OpenWork;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.command.Command.RepairStream;
import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.wire.events.StreamView;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "stream",
        description = "Streams: their contents, the policies in force for them, and their repair.",
        footer = "  ebb stream list --namespace orders")
@Subcommands({StreamCommand.ListCommand.class, StreamCommand.DescribeCommand.class, StreamCommand.RepairCommand.class})
public final class StreamCommand extends CommandGroup {

    @Command(name = "list", footer = "  ebb stream list --namespace orders --limit 20")
    static final class ListCommand extends ReadCommand<StreamView.Page> {

        ListCommand() {
            super(StreamView.LIST, ListCommand::table);
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
                    .left("NEXT DUE", ListCommand::nextDue)
                    .table(page.streams());
        }
    }

    @Command(name = "describe", footer = "  ebb stream describe orders/eu-1")
    static final class DescribeCommand extends ReadCommand<StreamView.Detail> {

        DescribeCommand() {
            super(StreamView.SHOW, DescribeCommand::table);
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
            return usage.quarantine() == null
                    ? table
                    : table.fact("quarantined", new Cell(usage.quarantine(), Style.RED));
        }
    }

    @Command(
            name = "repair",
            description = {
                "Recounts the events of a stream, corrects its usage, and ends its quarantine. Deletes nothing.",
                "If the failure occurs again, the stream is quarantined again. --dry-run only shows whether the stream"
                        + " is quarantined, and why."
            },
            footer = "  ebb stream repair orders/eu-1 --reason 'the disk was replaced'")
    static final class RepairCommand implements Callable<Integer> {

        @Parameters(
                paramLabel = "STREAM",
                converter = ParameterReader.OfName.class,
                description = "The name of the stream.")
        private String stream;

        @Mixin
        private CommandOptions options;

        @Override
        public Integer call() {
            if (!options.isDryRun() && options.isReasonMissing()) {
                throw CommandFailure.usage("name a reason with --reason; it goes into the audit");
            }
            return options.run(
                    () -> CommandCall.of(RepairStream.KIND, Json.object().put("stream", stream)));
        }
    }
}
