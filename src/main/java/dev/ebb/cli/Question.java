package dev.ebb.cli;

import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Asks before something is done that cannot be undone; where nobody can answer, {@code --yes} must have said so. */
final class Question {

    private static final Set<String> YES = Set.of("y", "yes");

    private final CommandContext context;

    @Option(
            names = {"-y", "--yes"},
            description = "Do it without asking; needed where there is no terminal.")
    private boolean yes;

    Question(CommandContext context) {
        this.context = context;
    }

    /**
     * Returns if the answer is yes.
     *
     * @param what the question
     * @param preview shows what it is about
     * @throws CommandFailure if it is not
     */
    void require(String what, Consumer<Terminal> preview) {
        if (yes) {
            return;
        }
        Terminal terminal = context.terminal();
        if (!terminal.isOutTerminal() || !terminal.isErrTerminal()) {
            throw new CommandFailure(ExitCode.USAGE, "nobody can be asked here; say --yes to do it");
        }
        preview.accept(terminal);
        terminal.err().print(what + " [y/N] ");
        terminal.err().flush();
        if (!YES.contains(answer())) {
            throw new CommandFailure(ExitCode.FAILED, "nothing was done");
        }
    }

    private String answer() {
        try {
            String line = new BufferedReader(new InputStreamReader(context.in(), StandardCharsets.UTF_8)).readLine();
            return line == null ? "" : line.strip().toLowerCase(Locale.ROOT);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "the answer cannot be read: " + e.getMessage(), e);
        }
    }
}
