package dev.ebb.cli.admin;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "token",
        description = "The tokens with which callers show who they are.",
        subcommands = {TokenCreateCommand.class, TokenListCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb token create --name anna --role operator --file tokens")
public final class TokenCommand extends CommandGroup {}
