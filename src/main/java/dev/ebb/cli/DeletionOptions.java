package dev.ebb.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The same for commands that delete: on a terminal they show first what would go, and ask. */
final class DeletionOptions {

    private static final Set<String> YES = Set.of("y", "yes");

    private final CommandContext context;

    @Option(names = "--max-deletes", paramLabel = "N", description = "Refuse if it would delete more events.")
    private @Nullable Long maxDeletes;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask. Needed where nobody can be asked.")
    private boolean yes;

    @Mixin
    private CommandOptions options;

    DeletionOptions(CommandContext context) {
        this.context = context;
        this.options = new CommandOptions(context);
    }

    /** Asks where that is needed, sends the command and shows its result. */
    int run(Supplier<CommandCall> calls) {
        Supplier<CommandCall> bounded = () -> {
            CommandCall call = calls.get();
            call.path().with("maxDeletes", maxDeletes);
            return call;
        };
        if (!options.isDryRun() && !yes) {
            confirm(bounded.get());
        }
        return options.run(bounded);
    }

    private void confirm(CommandCall call) {
        Terminal terminal = context.terminal().onErrors();
        if (!terminal.isErrTerminal() || !context.isPersonTyping().getAsBoolean()) {
            throw new CommandFailure(
                    ExitCode.USAGE, "this deletes; add --yes to do it, or --dry-run to see what would go");
        }
        JsonNode preview = options.preview(call);
        CommandTables.result(terminal, preview);
        terminal.err().print("Delete " + Texts.count(preview.path("eventsDeleted")) + " events? [y/N] ");
        terminal.err().flush();
        if (!YES.contains(answer().strip().toLowerCase(Locale.ROOT))) {
            throw new CommandFailure(ExitCode.FAILED, "not confirmed; nothing was deleted");
        }
    }

    private String answer() {
        try {
            String line = new BufferedReader(new InputStreamReader(context.in(), StandardCharsets.UTF_8)).readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
