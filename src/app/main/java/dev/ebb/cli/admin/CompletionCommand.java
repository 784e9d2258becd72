package dev.ebb.cli.admin;

import dev.ebb.cli.outcome.ExitCode;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        description = "Prints the script that lets a shell complete commands and options.",
        footerHeading = "%nExample:%n",
        footer = {
            "  source <(ebb completion bash)",
            "  ebb completion zsh > ~/.ebb-completion && source ~/.ebb-completion"
        })
public final class CompletionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
    private Shell shell;

    /** The shells that are known. */
    private enum Shell {
        BASH,
        ZSH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** One script serves both: it loads what zsh needs to act like bash. */
    @Override
    public Integer call() {
        String script = AutoComplete.bash("ebb", spec.root().commandLine());
        spec.commandLine().getOut().println(script);
        spec.commandLine().getOut().flush();
        return shell == null ? ExitCode.USAGE.code() : ExitCode.OK.code();
    }
}
