package dev.ebb.cli.options;

import picocli.CommandLine.Mixin;

/** A command that asks the application and shows its answer. */
public abstract class ApiCommand extends OutputCommand {

    @Mixin
    protected ApiOptions api;
}
