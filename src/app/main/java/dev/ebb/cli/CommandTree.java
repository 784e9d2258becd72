package dev.ebb.cli;

import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.read.ReadCommand;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Builds {@code ebb} as far as one call needs it: the command that the words name, or, where they name none, all
 * commands at that place, for help and suggestions. Building the whole tree takes longer than most answers.
 */
final class CommandTree {

    private final Class<?> rootType;
    private final IFactory factory;

    /** @param rootType the class of the root command, which has a name and members */
    CommandTree(Class<?> rootType, CommandEnvironment context) {
        this.rootType = rootType;
        this.factory = new Factory(context);
    }

    /** Returns the root and all commands below it. */
    CommandLine whole() {
        CommandLine root = root();
        for (Class<?> member : members(rootType)) {
            addMembers(add(root, member), member);
        }
        addFurther(root);
        return root;
    }

    /** Returns the root and the commands below it that these words need. */
    CommandLine build(List<String> words) {
        // The options of the root take no values, so the first word that is not an option is the command.
        List<String> rest =
                words.stream().dropWhile(word -> word.startsWith("-")).toList();
        if (!rest.isEmpty() && needsAll(rest.get(0))) {
            return whole();
        }
        CommandLine root = root();
        Class<?> named = named(rootType, rest);
        if (named == null) {
            addMembers(root, rootType);
            addFurther(root);
            return root;
        }
        CommandLine group = add(root, named);
        Class<?> inGroup = named(named, rest.subList(1, rest.size()));
        if (inGroup == null) {
            addMembers(group, named);
        } else {
            add(group, inGroup);
        }
        return root;
    }

    /** Returns true for a file of arguments, which may name any command. */
    private static boolean needsAll(String word) {
        return word.startsWith("@");
    }

    private CommandLine root() {
        return new CommandLine(rootType, factory);
    }

    private static @Nullable Class<?> named(Class<?> type, List<String> words) {
        if (words.isEmpty()) {
            return null;
        }
        String word = words.get(0);
        // Classes named like the word come first: reading the declaration of a command takes a while.
        return Stream.concat(
                        Stream.of(members(type)).filter(member -> isCalled(member, word)),
                        Stream.of(members(type)).filter(member -> !isCalled(member, word)))
                .filter(member -> nameOf(member).equals(word))
                .findFirst()
                .orElse(null);
    }

    private static boolean isCalled(Class<?> member, String word) {
        String called = word.replace("-", "") + "Command";
        String name = member.getName();
        return name.regionMatches(true, name.length() - called.length(), called, 0, called.length());
    }

    private void addMembers(CommandLine line, Class<?> type) {
        for (Class<?> member : members(type)) {
            add(line, member);
        }
    }

    /** Adds a command. Commands are added from the top down, so that options of the root reach all of them. */
    private CommandLine add(CommandLine line, Class<?> member) {
        CommandLine below = new CommandLine(member, factory);
        CommandSpec spec = below.getCommandSpec();
        if (below.getCommand() instanceof ReadCommand<?> reading) {
            reading.describe(spec);
        }
        UsageMessageSpec help = spec.usageMessage();
        if (help.footerHeading().isEmpty()) {
            help.footerHeading(help.footer().length == 1 ? "%nExample:%n" : "%nExamples:%n");
        }
        line.addSubcommand(below);
        return below;
    }

    private static void addFurther(CommandLine line) {
        List<String> examples = new ArrayList<>();
        ClassLoader loader = FurtherCommands.class.getClassLoader();
        for (FurtherCommands further : ServiceLoader.load(FurtherCommands.class, loader)) {
            further.commands().forEach(line::addSubcommand);
            examples.addAll(further.examples());
        }
        UsageMessageSpec help = line.getCommandSpec().usageMessage();
        examples.addAll(List.of(help.footer()));
        help.footer(examples.toArray(String[]::new));
    }

    private static Class<?>[] members(Class<?> type) {
        Subcommands below = type.getAnnotation(Subcommands.class);
        return below == null ? new Class<?>[0] : below.value();
    }

    private static String nameOf(Class<?> member) {
        return Objects.requireNonNull(member.getAnnotation(Command.class), member::getName)
                .name();
    }

    /** Passes the context to every command and mixin whose constructor takes one. */
    private record Factory(CommandEnvironment context) implements IFactory {

        @Override
        public <K> K create(Class<K> type) throws Exception {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (List.of(constructor.getParameterTypes()).equals(List.of(CommandEnvironment.class))) {
                    constructor.setAccessible(true);
                    return type.cast(constructor.newInstance(context));
                }
            }
            return CommandLine.defaultFactory().create(type);
        }
    }
}
