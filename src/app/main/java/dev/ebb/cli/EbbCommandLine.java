package dev.ebb.cli;

import dev.ebb.cli.admin.RunCommand;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.LogLevel;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.config.ConfigProblemsException;
import dev.ebb.domain.Spelling;
import dev.ebb.runtime.kafka.KafkaProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line around all commands: output, form of errors, exit codes. */
final class EbbCommandLine {

    private static final int HELP_WIDTH = 100;

    private EbbCommandLine() {}

    static int run(CommandEnvironment context, String... args) {
        // 'ebb help policy set' means 'ebb policy set --help': other programs are asked so.
        boolean asksForHelp = args.length > 0 && args[0].equals("help");
        List<String> words = List.of(args).subList(asksForHelp ? 1 : 0, args.length);
        CommandLine line = dressed(new CommandTree(EbbCommand.class, context).build(words), context);
        boolean isKnown = words.isEmpty() || line.getSubcommands().containsKey(words.get(0));
        return line.execute(Stream.concat(words.stream(), asksForHelp && isKnown ? Stream.of("--help") : Stream.empty())
                .toArray(String[]::new));
    }

    /** Returns all commands. */
    static CommandLine create(CommandEnvironment context) {
        return dressed(new CommandTree(EbbCommand.class, context).whole(), context);
    }

    /** Sets up the command line. Settings reach only commands that have been added before. */
    private static CommandLine dressed(CommandLine line, CommandEnvironment context) {
        Terminal terminal = context.terminal();
        line.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(Math.max(80, Math.min(HELP_WIDTH, terminal.columns())))
                .setHelpFactory(GroupedHelp::new)
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.hasColours() ? Ansi.ON : Ansi.OFF));
        readNumbers(line);
        readPaths(line);
        line.setParameterExceptionHandler((e, args) -> misused(e, terminal));
        EbbCommand root = line.getCommand();
        line.setExecutionStrategy(parsed -> {
            if (!parsed.hasSubcommand() || !(parsed.subcommand().commandSpec().userObject() instanceof RunCommand)) {
                LogLevel.quiet(root.isDebug());
            }
            return new CommandLine.RunLast().execute(parsed);
        });
        line.setExecutionExceptionHandler((e, command, parsed) -> failed(e, root.isDebug(), terminal));
        return line;
    }

    /** Replaces the messages of the library, such as "not an int", which are meant for programmers. */
    private static void readNumbers(CommandLine line) {
        ITypeConverter<Integer> small = text -> number(text, Integer::valueOf, Integer.MAX_VALUE);
        ITypeConverter<Long> big = text -> number(text, Long::valueOf, Long.MAX_VALUE);
        line.registerConverter(int.class, small).registerConverter(Integer.class, small);
        line.registerConverter(long.class, big).registerConverter(Long.class, big);
    }

    /** Refuses the empty path of a variable that is not set, which would be the current folder. */
    private static void readPaths(CommandLine line) {
        line.registerConverter(Path.class, text -> {
            if (text.isEmpty()) {
                throw new TypeConversionException("the name of a file or folder must not be empty");
            }
            return Path.of(text);
        });
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
        error(
                terminal,
                e instanceof UnmatchedArgumentException unmatched ? text(unmatched) : String.valueOf(e.getMessage()));
        if (e instanceof UnmatchedArgumentException unmatched) {
            closest(unmatched).ifPresent(word -> terminal.err().println("Did you mean: " + word + "?"));
        }
        terminal.err().println("See '" + command.getCommandSpec().qualifiedName() + " --help'.");
        terminal.err().flush();
        return ExitCode.USAGE.code();
    }

    /** Returns the message for people, who count no arguments. */
    private static String text(UnmatchedArgumentException unmatched) {
        List<String> words = unmatched.getUnmatched();
        if (words.isEmpty() || words.get(0).startsWith("-")) {
            return String.valueOf(unmatched.getMessage());
        }
        CommandLine.Model.CommandSpec command = unmatched.getCommandLine().getCommandSpec();
        String name = "'" + words.get(0) + "'";
        return command.subcommands().isEmpty()
                ? "the argument " + name + " is one too many"
                : "'" + command.qualifiedName() + "' has no command " + name;
    }

    /** Returns the command or option that was probably meant; arguments are no words that could be meant. */
    private static Optional<String> closest(UnmatchedArgumentException unmatched) {
        CommandLine.Model.CommandSpec command = unmatched.getCommandLine().getCommandSpec();
        List<String> known = new ArrayList<>(command.subcommands().keySet());
        known.addAll(command.optionsMap().keySet());
        String typed = unmatched.getUnmatched().isEmpty()
                ? ""
                : unmatched.getUnmatched().get(0);
        String word = typed.split("=", 2)[0];
        List<String> longer =
                known.stream().filter(one -> one.startsWith(word)).distinct().toList();
        return longer.size() == 1 ? Optional.of(longer.get(0)) : Spelling.closest(word, known);
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
        if (isOfKafka(e)) {
            error(
                    terminal,
                    "the broker did not complete the request: " + KafkaProblem.text(e) + " (--debug shows more)");
            return ExitCode.NOT_READY.code();
        }
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        error(terminal, message + " (--debug shows where)");
        return ExitCode.FAILED.code();
    }

    /** Compares names, so that a command without Kafka does not load Kafka's classes in order to fail. */
    private static boolean isOfKafka(Exception e) {
        for (Class<?> type = e.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals("org.apache.kafka.common.KafkaException")) {
                return true;
            }
        }
        return false;
    }

    private static void error(Terminal terminal, String message) {
        // A message of the application or of a file may contain names with control sequences for the terminal.
        String safe = message.lines().map(CellText::safe).collect(Collectors.joining("\n"));
        terminal.err().println(terminal.styled(Style.RED, "ebb:") + " " + safe);
        terminal.err().flush();
    }
}
