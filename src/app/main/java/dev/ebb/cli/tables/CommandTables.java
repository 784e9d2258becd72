package dev.ebb.cli.tables;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import java.util.Set;

/** Results of commands as tables. */
public final class CommandTables {

    private static final String DROP_PARKED = "drop-parked";

    /** Commands that delete no event: a line that says so would only puzzle. */
    private static final Set<String> REPAIRS = Set.of("repair", "repair-stream", "retry-parked");

    private CommandTables() {}

    /** Shows the result of a command or of its dry run; of counts only those that say something. */
    public static void result(Terminal terminal, JsonNode result) {
        result(terminal, result, () -> {});
    }

    /** @param beforeParts shows something before the parts */
    public static void result(Terminal terminal, JsonNode result, Runnable beforeParts) {
        Table table = new Table().left("").left("");
        table.row(label("command"), result.path("commandId").asText());
        table.row(label("asked for"), result.path("verb").asText() + (isDryRun(result) ? ", dry run" : ""));
        table.row(label("state"), state(result));
        text(table, "detail", result.path("detail"));
        text(table, "sweep point", result.path("sweepPoint"));
        text(table, "policy version", result.path("policyVersion"));
        text(table, "completed", result.path("completedAt"));
        if (result.path("completedAt").isTextual()) {
            table.row(label("took"), SweepTables.took(result.path("durationMs").asLong()));
        }
        counts(table, result);
        table.print(terminal);
        beforeParts.run();
        parts(terminal, result.path("parts"));
        long leftOut = result.path("partsLeftOut").asLong();
        if (leftOut > 0) {
            terminal.out().println("and " + leftOut + " smaller ones");
        }
        String verb = result.path("verb").asText();
        if (isDryRun(result) && isNothing(result) && !REPAIRS.contains(verb)) {
            terminal.out().println();
            boolean isDrop = verb.equals(DROP_PARKED);
            terminal.out().println(isDrop ? "nothing would be dropped" : "nothing would be deleted");
        }
    }

    private static void counts(Table table, JsonNode result) {
        String gone = isDryRun(result) ? "would go" : "deleted";
        // A sweep knows which streams have something due and goes nowhere else.
        String verb = result.path("verb").asText();
        String streams = verb.equals("sweep") ? "streams with something due" : "streams looked at";
        table.row(label(streams), Texts.count(result.path("streamsProcessed")));
        if (verb.equals(DROP_PARKED)) {
            table.row(label(dropped(result)), Texts.count(result.path("recordsDropped")));
        } else if (!REPAIRS.contains(verb)) {
            deleted(table, result, gone);
        }
        warned(table, result);
        count(table, "rows sent again", result.path("rowsSent"));
        count(table, "rows removed", result.path("rowsRemoved"));
        result.path("streamsSkipped")
                .properties()
                .forEach(skipped -> count(table, "streams skipped, " + skipped.getKey(), skipped.getValue()));
    }

    private static void deleted(Table table, JsonNode result, String gone) {
        count(table, "streams " + gone, result.path("streamsDeleted"));
        count(table, "executions " + gone, result.path("executionsDeleted"));
        table.row(label("events " + gone), Texts.count(result.path("eventsDeleted")));
        count(table, "of them protected", result.path("protectedEventsDeleted"));
        count(table, "bytes " + gone, result.path("bytesDeleted"));
        count(table, dropped(result), result.path("recordsDropped"));
    }

    /** Rows for events kept by mode warn; events that a dry run counts stand above already. */
    private static void warned(Table table, JsonNode result) {
        long counted = isDryRun(result) ? result.path("eventsDeleted").asLong() : 0;
        long kept = result.path("wouldDelete").asLong() - counted;
        if (kept > 0) {
            long bytes = result.path("wouldDeleteBytes").asLong()
                    - (isDryRun(result) ? result.path("bytesDeleted").asLong() : 0);
            table.row(label("events kept by mode warn"), Texts.count(LongNode.valueOf(kept)));
            table.row(label("bytes kept by mode warn"), Texts.count(LongNode.valueOf(bytes)));
        }
    }

    private static String dropped(JsonNode result) {
        return isDryRun(result) ? "records that would be dropped" : "records dropped";
    }

    private static void parts(Terminal terminal, JsonNode parts) {
        if (parts.isEmpty()) {
            return;
        }
        Table table = new Table().left("STREAM").left("CAUSE").right("EVENTS").right("BYTES");
        for (JsonNode part : parts) {
            table.row(
                    part.path("stream").asText(),
                    part.path("cause").asText(),
                    Texts.count(part.path("events")),
                    Texts.bytes(part.path("bytes")));
        }
        terminal.out().println();
        table.print(terminal);
    }

    private static Cell state(JsonNode result) {
        String state = result.path("state").asText();
        String refusal = result.path("refusal").asText("");
        return switch (state) {
            case "DONE" -> new Cell("done", Style.GREEN);
            case "REFUSED" -> new Cell("refused, " + refusal, Style.RED);
            default -> new Cell("running", Style.YELLOW);
        };
    }

    private static boolean isNothing(JsonNode result) {
        return result.path("state").asText().equals("DONE")
                && result.path("streamsDeleted").asLong() == 0
                && result.path("executionsDeleted").asLong() == 0
                && result.path("eventsDeleted").asLong() == 0
                && result.path("wouldDelete").asLong() == 0
                && result.path("recordsDropped").asLong() == 0;
    }

    private static boolean isDryRun(JsonNode result) {
        return result.path("dryRun").asBoolean();
    }

    private static void text(Table table, String label, JsonNode value) {
        if (!value.asText("").isEmpty() && !value.isNull()) {
            table.row(label(label), value.asText());
        }
    }

    private static void count(Table table, String label, JsonNode count) {
        if (count.asLong() != 0) {
            table.row(label(label), Texts.count(count));
        }
    }

    private static Cell label(String text) {
        return new Cell(text, Style.DIM);
    }
}
