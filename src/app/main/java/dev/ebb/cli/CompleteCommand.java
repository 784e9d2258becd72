package dev.ebb.cli;

import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.outcome.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command that the scripts of {@code ebb completion} call when the key is pressed. */
@Command(
        name = "complete-words",
        hidden = true,
        description = "Prints the words that can complete the last word, one a line; nothing if none is known.",
        footer = "  ebb complete-words -- policy get namespace:")
final class CompleteCommand implements Callable<Integer> {

    private final CommandEnvironment context;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--within",
            paramLabel = "MS",
            defaultValue = "800",
            description = "Longest wait for the application. Default: ${DEFAULT-VALUE}.")
    private long withinMs;

    @Parameters(paramLabel = "WORD", arity = "0..*", description = "The words typed after ebb, following --.")
    private List<String> words = new ArrayList<>();

    CompleteCommand(CommandEnvironment context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        new WordCompletion(spec.root().userObject().getClass(), context, withinMs)
                .words(words)
                .forEach(context.terminal().out()::println);
        context.terminal().out().flush();
        return ExitCode.OK.code();
    }
}
