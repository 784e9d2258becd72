package dev.ebb.cli.admin;

import dev.ebb.cli.client.Contexts;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.outcome.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "use",
        description = "Puts a context into use: commands reach its application from now on.",
        footer = "  ebb context use prod")
final class ContextUseCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAME", description = "Name of the context.")
    private String name;

    private final CommandEnvironment context;

    ContextUseCommand(CommandEnvironment context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Contexts contexts = Contexts.of(context.environment()).using(name);
        contexts.save();
        context.terminal()
                .out()
                .println(name + " is in use: " + contexts.get(name).api());
        return ExitCode.OK.code();
    }
}
