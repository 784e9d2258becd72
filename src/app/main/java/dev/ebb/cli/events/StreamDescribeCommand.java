package dev.ebb.cli.events;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.Gaps;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.StaleOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.tables.OpenWork;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.events.StreamView;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "describe",
        description =
                "Shows the contents of a stream, its parent and its open executions, and the policy in force for it with the"
                        + " scope that each field comes from.",
        footerHeading = "%nExample:%n",
        footer = "  ebb stream describe orders/eu-1")
final class StreamDescribeCommand implements Callable<Integer> {

    @Parameters(paramLabel = "STREAM", description = "The name of the stream.")
    private String stream;

    @Mixin
    private StaleOptions stale;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode detail = api.connect().get(stale.addTo(RestPath.of("v1", "streams", stream)));
        output.print(detail, StreamView.Detail.class, StreamDescribeCommand::table);
        Gaps.note(detail, output);
        return ExitCode.OK.code();
    }

    private static void table(Terminal terminal, StreamView.Detail detail) {
        StreamView usage = detail.usage();
        Table held = new Table().left("").left("");
        held.row(label("stream"), usage.stream());
        held.row(label("namespace"), usage.namespace());
        StreamView.Standing standing = detail.standing();
        held.row(label("parent"), standing.parent() == null ? Texts.NONE : standing.parent());
        held.row(label("execution"), String.valueOf(standing.currentExecution()));
        held.row(label("state"), new Cell(OpenWork.text(standing), standing.open() ? Style.YELLOW : Style.PLAIN));
        held.row(label("events"), Texts.count(usage.events()));
        held.row(label("bytes"), Texts.bytes(usage.bytes()));
        held.row(label("protected"), Texts.count(usage.protectedEvents()));
        held.row(label("own TTL"), Texts.count(usage.timedEvents()));
        held.row(label("kept for ever"), Texts.count(usage.infiniteEvents()));
        held.row(label("oldest"), Texts.time(usage.oldest()));
        held.row(label("newest"), Texts.time(usage.newest()));
        if (usage.quarantine() != null) {
            held.row(label("quarantined"), new Cell(usage.quarantine(), Style.RED));
        }
        held.print(terminal);
        terminal.out().println();
        PolicyTables.effective(detail.policy()).print(terminal);
    }

    private static Cell label(String text) {
        return new Cell(text, Style.DIM);
    }
}
