package dev.ebb.cli.admin;

import dev.ebb.cli.client.Contexts;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.outcome.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "delete",
        description = "Forgets a context. The application and its token stay as they are.",
        footer = "  ebb context delete test")
final class ContextDeleteCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAME", description = "Name of the context.")
    private String name;

    private final CommandEnvironment context;

    ContextDeleteCommand(CommandEnvironment context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Contexts.of(context.environment()).without(name).save();
        return ExitCode.OK.code();
    }
}
