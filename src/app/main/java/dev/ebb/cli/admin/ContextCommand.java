package dev.ebb.cli.admin;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "context",
        description = "Applications by name: address, file of the token, certificates.",
        footer = {
            "  ebb context set prod https://ebb-1:8480 --token-file prod.token --ca-file ca.crt",
            "  ebb context use prod",
            "  EBB_CONTEXT=test ebb status"
        })
@Subcommands({ContextListCommand.class, ContextUseCommand.class, ContextSetCommand.class, ContextDeleteCommand.class})
public final class ContextCommand extends CommandGroup {}
