package dev.ebb.cli;

import dev.ebb.cli.options.CommandEnvironment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Finds the words that may replace the last typed one. Used once; not thread-safe. */
final class WordCompletion {

    private final Class<?> rootType;
    private final CommandEnvironment context;
    private final long withinMs;
    private final List<String> asked = new ArrayList<>();

    private @Nullable OptionSpec open;
    private int positions;

    /**
     * Makes the completion for a tree of commands.
     *
     * @param rootType the class of the root command
     * @param withinMs the longest wait for the application, in milliseconds
     */
    WordCompletion(Class<?> rootType, CommandEnvironment context, long withinMs) {
        this.rootType = rootType;
        this.context = context;
        this.withinMs = withinMs;
    }

    /** Returns the words that begin like the last typed one. */
    List<String> words(List<String> typed) {
        List<String> before = typed.isEmpty() ? List.of() : typed.subList(0, typed.size() - 1);
        String last = typed.isEmpty() ? "" : typed.get(typed.size() - 1);
        CommandLine root = new CommandTree(rootType, context).build(before);
        CommandLine line = walk(root, before);
        return offered(line, last)
                .filter(word -> word.startsWith(last) && !word.equals("complete-words"))
                .distinct()
                .sorted()
                .toList();
    }

    private CommandLine walk(CommandLine root, List<String> before) {
        CommandLine line = root;
        for (String word : before) {
            OptionSpec pending = open;
            if (pending != null) {
                note(pending, word);
                open = null;
            } else if (word.startsWith("-")) {
                enter(line, word);
            } else if (line.getSubcommands().containsKey(word) && positions == 0) {
                line = line.getSubcommands().get(word);
            } else {
                positions++;
            }
        }
        return line;
    }

    private void enter(CommandLine line, String word) {
        int equals = word.indexOf('=');
        OptionSpec option = line.getCommandSpec().findOption(equals < 0 ? word : word.substring(0, equals));
        if (option == null || option.arity().max() == 0) {
            return;
        }
        if (equals < 0) {
            open = option;
        } else {
            note(option, word.substring(equals + 1));
        }
    }

    /** Keeps the option and its value if they tell how to reach the application. */
    private void note(OptionSpec option, String value) {
        if (CompletionNames.REACH.contains(option.longestName())) {
            asked.add(option.longestName());
            asked.add(value);
        }
    }

    private Stream<String> offered(CommandLine line, String last) {
        CommandSpec spec = line.getCommandSpec();
        OptionSpec pending = open;
        if (pending != null) {
            return values(spec, pending, last);
        }
        int equals = last.indexOf('=');
        if (last.startsWith("-") && equals > 0) {
            OptionSpec option = spec.findOption(last.substring(0, equals));
            return option == null
                    ? Stream.of()
                    : values(spec, option, last.substring(equals + 1))
                            .map(value -> last.substring(0, equals + 1) + value);
        }
        if (last.startsWith("-")) {
            return spec.options().stream().filter(option -> !option.hidden()).map(OptionSpec::longestName);
        }
        Stream<String> commands = positions == 0 ? line.getSubcommands().keySet().stream() : Stream.of();
        return Stream.concat(
                commands,
                spec.positionalParameters().stream()
                        .filter(parameter -> parameter.index().contains(positions))
                        .flatMap(parameter -> values(spec, parameter, last)));
    }

    private Stream<String> values(CommandSpec spec, ArgSpec argument, String typed) {
        Iterable<String> known = argument.completionCandidates();
        Stream<String> words = known == null ? Stream.of() : StreamSupport.stream(known.spliterator(), false);
        return Stream.concat(words, new CompletionNames(context, asked, withinMs).of(nameOf(spec, argument), typed));
    }

    /** Returns the label under which the application knows names; empty if it knows none of this kind. */
    private static String nameOf(CommandSpec spec, ArgSpec argument) {
        String label = argument.paramLabel();
        String option = argument instanceof OptionSpec named ? named.longestName() : "";
        return switch (label) {
            case "NAMESPACE" -> CompletionNames.NAMESPACE;
            case "NAME" -> option.equals("--namespace") ? CompletionNames.NAMESPACE : "";
            case "SCOPE[@VERSION]" -> "KEY";
            // Cases of erasures have no list.
            case "CASE" -> option.equals("--hold") || spec.qualifiedName().startsWith("ebb hold") ? label : "";
            default -> label;
        };
    }
}
