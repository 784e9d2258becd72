package dev.ebb.cli.options;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.wire.WireJson;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Options for the output of a command. */
public final class OutputOptions {

    private final CommandEnvironment context;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private OutputFormat format = OutputFormat.TABLE;

    public OutputOptions(CommandEnvironment context) {
        this.context = context;
    }

    public Terminal terminal() {
        return context.terminal();
    }

    public boolean isTable() {
        return format == OutputFormat.TABLE;
    }

    public boolean isJson() {
        return format == OutputFormat.JSON;
    }

    /** Shows the result; makes the table only if it is needed. */
    public void print(JsonNode result, Consumer<Terminal> table) {
        switch (format) {
            case TABLE -> {
                table.accept(context.terminal());
                noteMoments(result);
            }
            case JSON -> context.terminal().out().println(Json.pretty(result));
            case YAML -> context.terminal().out().print(Json.yaml(result));
        }
        context.terminal().out().flush();
    }

    /** Shows the result; a table is made from its record, which may lack fields that only programs see. */
    public <T> void print(JsonNode result, Class<T> type, BiConsumer<Terminal, T> table) {
        print(result, terminal -> table.accept(terminal, Json.as(result, type)));
    }

    /**
     * Shows an answer, and notes below a table which parts are missing.
     *
     * @return the exit code
     */
    public <T> int show(JsonNode answer, Class<T> type, BiConsumer<Terminal, T> table) {
        print(answer, type, table);
        Gaps.note(answer, this);
        return exitCode(answer).code();
    }

    /**
     * Returns the exit code of an answer: not found if it has nothing because a name in the question matches nothing,
     * so
     * that a script does not take a misspelt name for an empty answer (O-26).
     */
    public static ExitCode exitCode(JsonNode answer) {
        return answer.path(WireJson.HINTS).isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    /** Keeps the moments and hints of a first answer in one that stands for it. */
    public static void keepMoments(JsonNode first, ObjectNode kept) {
        for (String field : List.of(WireJson.MOMENTS, WireJson.HINTS)) {
            if (first.path(field).isContainerNode()) {
                kept.set(field, first.path(field));
            }
        }
    }

    /**
     * Notes the moments that the application understood, since a date or a duration may mean another than its author
     * thinks, and names that match nothing.
     */
    public void noteMoments(JsonNode answer) {
        String moments = answer.path(WireJson.MOMENTS).properties().stream()
                .map(moment -> moment.getKey() + " " + moment.getValue().asText())
                .collect(Collectors.joining(", "));
        if (!moments.isEmpty()) {
            context.terminal().out().flush();
            note("understood: " + moments);
        }
        answer.path(WireJson.HINTS).forEach(hint -> note(hint.asText()));
    }

    /** Prints a note beside the result, on the error stream. */
    public void note(String text) {
        text.lines().map(CellText::safe).forEach(context.terminal().err()::println);
        context.terminal().err().flush();
    }

    /** The forms of results. */
    enum OutputFormat {
        /** Aligned columns for people. */
        TABLE,
        /** For programs, in the form of the REST interface. */
        JSON,
        /** The JSON of the REST interface as YAML. */
        YAML;

        /** Returns the name of the format on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
