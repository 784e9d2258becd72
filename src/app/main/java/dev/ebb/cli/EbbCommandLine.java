package dev.ebb.cli;

import dev.ebb.cli.admin.RunCommand;
import dev.ebb.cli.options.CommandContext;
import dev.ebb.cli.options.Logging;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.config.ConfigProblemsException;
import dev.ebb.runtime.kafka.KafkaProblem;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command with all that surrounds a single one: where it writes, what errors look like, exit codes. */
final class EbbCommandLine {

    private static final int HELP_WIDTH = 100;

    private EbbCommandLine() {}

    static int run(CommandContext context, String... args) {
        return create(context).execute(args);
    }

    static CommandLine create(CommandContext context) {
        Terminal terminal = context.terminal();
        CommandLine line = withFurtherCommands(new CommandLine(EbbCommand.class, new Factory(context)))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(Math.max(80, Math.min(HELP_WIDTH, terminal.columns())))
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.hasColours() ? Ansi.ON : Ansi.OFF));
        readNumbers(line);
        line.setParameterExceptionHandler((e, args) -> misused(e, terminal));
        EbbCommand root = line.getCommand();
        line.setExecutionStrategy(parsed -> {
            if (!parsed.hasSubcommand() || !(parsed.subcommand().commandSpec().userObject() instanceof RunCommand)) {
                Logging.quiet(root.isDebug());
            }
            return new CommandLine.RunLast().execute(parsed);
        });
        line.setExecutionExceptionHandler((e, command, parsed) -> failed(e, root.isDebug(), terminal));
        return line;
    }

    /** Before anything is set, since settings reach only the commands that are there. */
    private static CommandLine withFurtherCommands(CommandLine line) {
        List<String> examples = new ArrayList<>();
        ClassLoader loader = FurtherCommands.class.getClassLoader();
        for (FurtherCommands further : ServiceLoader.load(FurtherCommands.class, loader)) {
            further.commands().forEach(line::addSubcommand);
            examples.addAll(further.examples());
        }
        UsageMessageSpec help = line.getCommandSpec().usageMessage();
        examples.addAll(List.of(help.footer()));
        help.footer(examples.toArray(String[]::new));
        return line;
    }

    /** The words of the library are those of a programmer: "not an int". */
    private static void readNumbers(CommandLine line) {
        ITypeConverter<Integer> small = text -> number(text, Integer::valueOf, Integer.MAX_VALUE);
        ITypeConverter<Long> big = text -> number(text, Long::valueOf, Long.MAX_VALUE);
        line.registerConverter(int.class, small).registerConverter(Integer.class, small);
        line.registerConverter(long.class, big).registerConverter(Long.class, big);
    }

    private static <T> T number(String text, Function<String, T> parser, long greatest) {
        try {
            return parser.apply(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a whole number of at most " + greatest);
        }
    }

    private static int misused(ParameterException e, Terminal terminal) {
        CommandLine command = e.getCommandLine();
        error(terminal, String.valueOf(e.getMessage()));
        List<String> suggestions =
                e instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        if (!suggestions.isEmpty()) {
            terminal.err().println("Did you mean: " + String.join(", ", suggestions) + "?");
        }
        terminal.err().println("See '" + command.getCommandSpec().qualifiedName() + " --help'.");
        terminal.err().flush();
        return ExitCode.USAGE.code();
    }

    private static int failed(Exception e, boolean isDebug, Terminal terminal) {
        if (isDebug) {
            e.printStackTrace(terminal.err());
        }
        if (e instanceof CommandFailure failure) {
            error(terminal, String.valueOf(failure.getMessage()));
            return failure.exitCode().code();
        }
        if (e instanceof ConfigProblemsException) {
            error(terminal, String.valueOf(e.getMessage()));
            return ExitCode.USAGE.code();
        }
        if (e instanceof KafkaException) {
            error(terminal, "the broker did not do its part: " + KafkaProblem.text(e) + " (--debug shows more)");
            return ExitCode.NOT_READY.code();
        }
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        error(terminal, message + " (--debug shows where)");
        return ExitCode.FAILED.code();
    }

    private static void error(Terminal terminal, String message) {
        // A message of the application or of a file may hold names that would steer the terminal.
        String safe = message.lines().map(CellText::safe).collect(Collectors.joining("\n"));
        terminal.err().println(terminal.styled(Style.RED, "ebb:") + " " + safe);
        terminal.err().flush();
    }

    /** Hands the context to every command and mixin that asks for it in its constructor. */
    private record Factory(CommandContext context) implements IFactory {

        @Override
        public <K> K create(Class<K> type) throws Exception {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (List.of(constructor.getParameterTypes()).equals(List.of(CommandContext.class))) {
                    constructor.setAccessible(true);
                    return type.cast(constructor.newInstance(context));
                }
            }
            return CommandLine.defaultFactory().create(type);
        }
    }
}
