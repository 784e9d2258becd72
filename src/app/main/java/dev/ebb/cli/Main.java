package dev.ebb.cli;

import dev.ebb.cli.options.CommandContext;

/** Where the process begins. */
public final class Main {

    private Main() {}

    /** Ends the process with one of the exit codes of {@link dev.ebb.cli.outcome.ExitCode}. */
    public static void main(String[] args) {
        System.exit(EbbCommandLine.run(CommandContext.ofProcess(), args));
    }
}
