package dev.ebb.cli.options;

import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that shows a result in the form that its user asks for. */
public abstract class OutputCommand implements Callable<Integer> {

    @Mixin
    protected OutputOptions output;
}
