package dev.ebb.cli;

import java.util.List;

/**
 * Commands that another module adds to {@code ebb}. A {@link java.util.ServiceLoader} finds them, so that the
 * application needs no class of that module, and an installation without its jar lacks these commands.
 */
public interface FurtherCommands {

    /**
     * Returns the classes of the commands. A constructor takes a {@link dev.ebb.cli.options.CommandEnvironment}, or
     * nothing.
     */
    List<Class<?>> commands();

    /** Returns lines for the examples in the help of {@code ebb}. */
    List<String> examples();
}
