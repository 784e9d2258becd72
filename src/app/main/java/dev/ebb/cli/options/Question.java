package dev.ebb.cli.options;

import dev.ebb.cli.client.ApiAddress;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Asks for a confirmation before work that cannot be undone; where no person can answer, {@code --yes} is required. */
public final class Question {

    private static final Set<String> YES = Set.of("y", "yes");

    private final CommandEnvironment context;

    @Option(
            names = {"-y", "--yes"},
            description = "Act without asking; needed where there is no terminal.")
    private boolean yes;

    public Question(CommandEnvironment context) {
        this.context = context;
    }

    /** Returns true if {@code --yes} was given. */
    public boolean isAnswered() {
        return yes;
    }

    /**
     * Returns if the answer is yes. The question names the application: the same command may reach another one tomorrow.
     *
     * @param unasked the message where no person can be asked
     * @param address the address of the application
     * @param preview shows the effect, beside the results, and returns the question
     * @throws CommandFailure if the answer is no, or no person can answer
     */
    public void require(String unasked, Supplier<ApiAddress> address, Function<Terminal, String> preview) {
        if (yes) {
            return;
        }
        Terminal terminal = context.terminal().onErrors();
        if (!canAsk(terminal)) {
            throw CommandFailure.usage(unasked);
        }
        ask(terminal, address, preview.apply(terminal));
    }

    /** As {@link #require}, but shows the effect also where no person can be asked. */
    public void requireShown(String unasked, Supplier<ApiAddress> address, Function<Terminal, String> preview) {
        if (yes) {
            return;
        }
        Terminal terminal = context.terminal().onErrors();
        String question = preview.apply(terminal);
        if (!canAsk(terminal)) {
            throw CommandFailure.usage(unasked);
        }
        ask(terminal, address, question);
    }

    private boolean canAsk(Terminal terminal) {
        return terminal.isErrTerminal() && context.isPersonTyping().getAsBoolean();
    }

    private void ask(Terminal terminal, Supplier<ApiAddress> address, String question) {
        terminal.err().println("This is for the application at " + address.get().url() + ".");
        terminal.err().print(question + " [y/N] ");
        terminal.err().flush();
        if (!YES.contains(answer())) {
            throw new CommandFailure(ExitCode.FAILED, "not confirmed; nothing was done");
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
