package dev.ebb.cli.events;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.events.ExplainView;
import dev.ebb.wire.events.ExplainView.DecisionView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "explain",
        description = "Shows why a stream or an event stays or goes: the policy in force with the scope of each"
                + " field, the decision, when the event is due, and what blocks its delete.",
        footer = {"  ebb explain orders/eu-1", "  ebb explain orders/eu-1 order-4711"})
public final class ExplainCommand extends ApiCommand {

    @Parameters(index = "0", paramLabel = "STREAM", description = "The name of the stream.")
    private String stream;

    @Parameters(index = "1", arity = "0..1", paramLabel = "EVENT", description = "The id of an event of the stream.")
    private @Nullable String event;

    @Override
    public Integer call() {
        JsonNode explained = api.connect()
                .get(RestPath.of("v1", "streams", stream, "explain").with("event", event));
        // The answer is whole for a stream that does not exist yet; its hint is only noted.
        output.show(explained, ExplainView.class, ExplainCommand::table);
        return ExitCode.OK.code();
    }

    private static void table(Terminal terminal, ExplainView explained) {
        if (explained.event() != null) {
            decision(explained.event(), isOnlyWarned(explained)).print(terminal);
            terminal.out().println();
        }
        if (!explained.blocks().isEmpty()) {
            Table blocks = new Table().left("BLOCKED BY").left("");
            explained.blocks().forEach(block -> blocks.row(new Cell(block.what(), Style.YELLOW), block.detail()));
            blocks.print(terminal);
            terminal.out().println();
        }
        if (explained.waiting() != null) {
            terminal.out().println("Waiting: " + explained.waiting());
            terminal.out().println();
        }
        PolicyTables.effective(explained.policy()).print(terminal);
    }

    /** Returns true if only mode {@code warn} keeps the event; the mode is no part of the decision. */
    private static boolean isOnlyWarned(ExplainView explained) {
        return explained.blocks().stream().anyMatch(block -> block.what().equals("WARN"));
    }

    private static Table decision(DecisionView event, boolean isOnlyWarned) {
        boolean goes = event.decision().equals("REMOVE");
        Table table = Table.ofFacts();
        table.fact("event", event.id());
        table.fact("decision", decision(event.reason(), goes, isOnlyWarned));
        if (event.scope() != null) {
            table.fact("by", event.scope());
        }
        table.fact("due", due(event.due()));
        table.fact("status", event.status());
        table.fact("execution", event.execution());
        return table;
    }

    private static Cell decision(String reason, boolean goes, boolean isOnlyWarned) {
        if (!goes) {
            return new Cell("stays: " + reason, Style.GREEN);
        }
        return isOnlyWarned
                ? new Cell("stays: mode warn deletes nothing; with enforce it would go: " + reason, Style.YELLOW)
                : new Cell("goes: " + reason, Style.RED);
    }

    private static String due(@Nullable Instant due) {
        return due == null ? "never by age" : Texts.time(due) + " (" + Texts.distance(due, Instant.now()) + ")";
    }
}
