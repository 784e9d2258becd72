package dev.ebb.cli.options;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Terminal;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
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
            case TABLE -> table.accept(context.terminal());
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
        return ExitCode.OK.code();
    }

    /** Prints a note beside the result, on the error stream. */
    public void note(String text) {
        text.lines().map(CellText::safe).forEach(context.terminal().err()::println);
        context.terminal().err().flush();
    }
}
