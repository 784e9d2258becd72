package dev.ebb.cli.admin;

import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.outcome.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "completion",
        description = {
            "Prints the script that lets a shell complete commands, options and values.",
            "The script asks the application for names of namespaces, policies, streams and holds, and waits at most"
                    + " 0.8 s."
        },
        footer = {"  source <(ebb completion bash)", "  source <(ebb completion zsh)", "  ebb completion fish | source"
        })
public final class CompletionCommand implements Callable<Integer> {

    private final CommandEnvironment context;

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
    private Shell shell;

    CompletionCommand(CommandEnvironment context) {
        this.context = context;
    }

    /** The supported shells. */
    private enum Shell {
        BASH,
        ZSH,
        FISH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public Integer call() {
        context.terminal().out().print(script("/dev/ebb/cli/completion/ebb." + shell));
        context.terminal().out().flush();
        return ExitCode.OK.code();
    }

    private static String script(String resource) {
        try (InputStream in = CompletionCommand.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
