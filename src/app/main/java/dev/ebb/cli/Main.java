package dev.ebb.cli;

import dev.ebb.cli.options.CommandEnvironment;

/** Entry point of the process. */
public final class Main {

    private Main() {}

    /** Runs a command, and ends the process with one of the exit codes of {@link dev.ebb.cli.outcome.ExitCode}. */
    public static void main(String[] args) {
        System.exit(EbbCommandLine.run(CommandEnvironment.ofProcess(), args));
    }
}
