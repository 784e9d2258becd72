package dev.ebb.cli.options;

import dev.ebb.cli.outcome.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that only groups other commands: called alone, it lists them. */
public abstract class CommandGroup implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public final Integer call() {
        CommandLine line = spec.commandLine();
        line.usage(line.getErr());
        return ExitCode.USAGE.code();
    }
}
