package dev.ebb.cli.tables;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Policies for people. */
public final class PolicyTables {

    private static final Set<String> NOT_RULES = Set.of("scope", "updatedBy", "reason");

    private PolicyTables() {}

    public static void list(Terminal terminal, JsonNode all) {
        Table table = new Table()
                .left("SCOPE")
                .wrapped("RULES", 24)
                .right("VERSION")
                .left("BY")
                .wrapped("REASON", 24);
        for (JsonNode record : all.path("policies")) {
            JsonNode policy = record.path("policy");
            table.row(
                    record.path("scope").asText(),
                    rules(policy),
                    version(record),
                    policy.path("updatedBy").asText(""),
                    policy.path("reason").asText(""));
        }
        table.print(terminal);
    }

    public static void record(Terminal terminal, JsonNode record) {
        Table table = new Table().left("").left("");
        table.row(new Cell("scope", Style.DIM), record.path("scope").asText());
        for (Map.Entry<String, JsonNode> field : record.path("policy").properties()) {
            if (!field.getKey().equals("scope")) {
                table.row(new Cell(field.getKey(), Style.DIM), field.getValue().asText());
            }
        }
        table.row(new Cell("version", Style.DIM), version(record));
        JsonNode waiting = record.path("waiting");
        if (waiting.isObject()) {
            String change = "version " + waiting.path("version").asText() + ": "
                    + waiting.path("why").asText();
            table.row(new Cell("waits", Style.DIM), new Cell(change, Style.YELLOW));
        }
        table.print(terminal);
    }

    /** Shows the changes that the brake holds back. */
    public static void waiting(Terminal terminal, JsonNode waiting) {
        Table table = new Table()
                .left("WAITS")
                .right("VERSION")
                .left("BY")
                .left("SINCE")
                .left("WHY");
        for (WaitingChange change : WaitingChange.of(waiting)) {
            JsonNode each = change.first();
            table.row(
                    change.name(),
                    each.path("version").asText(),
                    each.path("actor").asText(),
                    each.path("since").asText(),
                    each.path("why").asText());
        }
        table.print(terminal);
    }

    public static void diff(Terminal terminal, JsonNode diff) {
        Table table = new Table()
                .left("POLICY OR HOLD")
                .left("")
                .left("FIELD")
                .left("IN FORCE")
                .left("IN FILE");
        for (JsonNode difference : diff.path("differences")) {
            for (JsonNode field : difference.path("fields")) {
                table.row(
                        difference.path("key").asText(),
                        difference.path("kind").asText().toLowerCase(Locale.ROOT),
                        field.path("field").asText(),
                        field.path("inForce").asText(""),
                        field.path("inFile").asText(""));
            }
        }
        if (!diff.path("differences").isEmpty()) {
            table.print(terminal);
        }
        warn(terminal, diff);
    }

    public static void holds(Terminal terminal, JsonNode all) {
        Table table = new Table()
                .left("CASE")
                .left("COVERS")
                .left("REASON")
                .left("BY")
                .left("SINCE");
        for (JsonNode hold : all.path("holds")) {
            table.row(
                    hold.path("case").asText(),
                    hold.path("covers").asText(),
                    hold.path("reason").asText(""),
                    hold.path("placedBy").asText(""),
                    hold.path("placedAt").asText(""));
        }
        table.print(terminal);
    }

    private static void warn(Terminal terminal, JsonNode answer) {
        for (JsonNode warning : answer.path("warnings")) {
            String text = warning.path("where").asText("") + ": "
                    + warning.path("message").asText();
            terminal.err().println(terminal.styled(Style.YELLOW, "warning:") + " " + CellText.safe(text));
        }
    }

    /** Shows the outcome of a change, and returns the exit code that says so: a script must not take it for granted. */
    public static int answer(OutputOptions output, JsonNode changed) {
        output.print(changed, terminal -> changed(terminal, changed));
        JsonNode waiting = changed.path("waiting");
        if (StreamSupport.stream(waiting.spliterator(), false)
                .anyMatch(one -> one.path("wouldDelete").isNumber())) {
            return ExitCode.REFUSED.code();
        }
        return changed.path("inForce").asBoolean() && waiting.isEmpty()
                ? ExitCode.OK.code()
                : ExitCode.NOT_READY.code();
    }

    private static void changed(Terminal terminal, JsonNode changed) {
        say(terminal, "set", changed.path("set"));
        say(terminal, "removed", changed.path("removed"));
        say(terminal, "withdrew the change that waited for", changed.path("withdrawn"));
        JsonNode waiting = changed.path("waiting");
        waiting.forEach(one -> say(terminal, "waits", one.path("key").asText()));
        warn(terminal, changed);
        boolean isInForce = changed.path("inForce").asBoolean();
        if (!waiting.isEmpty()) {
            terminal.out()
                    .println(terminal.styled(Style.YELLOW, "held back")
                            + ", what was in force stays; 'ebb policy confirm' lets it through, setting anew what is in"
                            + " force withdraws it, or deleting it where nothing is");
            waiting(terminal, waiting);
        } else if (isInForce) {
            String version = ", version " + changed.path("version").asLong();
            terminal.out().println(terminal.styled(Style.GREEN, "in force") + version);
        } else {
            String hint = ", not seen in force yet; 'ebb status' shows when";
            terminal.out().println(terminal.styled(Style.YELLOW, "sent") + hint);
        }
    }

    /** Policy in force for a stream, with the scope that each field comes from. */
    public static Table effective(JsonNode policy) {
        Table table = new Table().left("POLICY FIELD").left("VALUE").left("FROM");
        for (Map.Entry<String, JsonNode> field : policy.properties()) {
            JsonNode version = field.getValue().path("version");
            String from = field.getValue().path("scope").asText()
                    + (version.isNumber() ? " (version " + version.asText() + ")" : " (built-in)");
            table.row(field.getKey(), field.getValue().path("value").asText(), from);
        }
        return table;
    }

    private static void say(Terminal terminal, String what, JsonNode scopes) {
        for (JsonNode scope : scopes) {
            say(terminal, what, scope.asText());
        }
    }

    private static void say(Terminal terminal, String what, String scope) {
        terminal.out().println(what + "  " + CellText.safe(scope));
    }

    /** Rules of a policy, in one line. */
    public static String rules(JsonNode policy) {
        List<String> rules = policy.properties().stream()
                .filter(field -> !NOT_RULES.contains(field.getKey()))
                .map(field -> field.getKey() + "=" + field.getValue().asText())
                .toList();
        return rules.stream().collect(Collectors.joining(" "));
    }

    private static String version(JsonNode record) {
        return record.path("builtIn").asBoolean()
                ? "built-in"
                : record.path("version").asText();
    }
}
