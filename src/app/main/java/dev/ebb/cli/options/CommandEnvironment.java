package dev.ebb.cli.options;

import dev.ebb.cli.terminal.Terminal;
import dev.ebb.stacks.RunningStacks;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Environment of a command: the process that runs it.
 *
 * @param terminal the output of the command
 * @param in the input of the command
 * @param isPersonTyping true if the input comes from a terminal; finding out takes a moment
 * @param environment the environment variables
 * @param home the project folder, which holds the data of {@code ebb dev} and {@code ebb demo}
 */
public record CommandEnvironment(
        Terminal terminal, InputStream in, BooleanSupplier isPersonTyping, Map<String, String> environment, Path home) {

    /** Makes a context in which no person types. */
    public CommandEnvironment(Terminal terminal, InputStream in, Map<String, String> environment, Path home) {
        this(terminal, in, () -> false, environment, home);
    }

    public static CommandEnvironment ofProcess() {
        Map<String, String> environment = System.getenv();
        Path home = Path.of(System.getProperty("ebb.home", "")).toAbsolutePath().normalize();
        return new CommandEnvironment(
                Terminal.ofProcess(environment), System.in, Terminal::isInputTerminal, environment, home);
    }

    /** Returns the path of this program from any folder, as a word for the shell. */
    public static String program() {
        return ShellWord.of(System.getProperty("ebb.command", "ebb"));
    }

    /** Returns the stacks of this user that run on this machine. */
    public RunningStacks runningStacks() {
        return RunningStacks.of(environment);
    }

    public Path devFolder() {
        return home.resolve(".ebb").resolve("dev");
    }

    public Path demoFolder() {
        return home.resolve(".ebb").resolve("demo");
    }
}
