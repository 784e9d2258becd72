package dev.ebb.cli.options;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The commands below a command, in the order of its help. The library's own list would build all of them before one is
 * called.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Subcommands {

    /** Classes that have a name as commands. A constructor takes a {@link CommandEnvironment}, or nothing. */
    Class<?>[] value();
}
