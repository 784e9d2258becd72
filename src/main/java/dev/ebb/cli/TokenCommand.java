package dev.ebb.cli;

import picocli.CommandLine.Command;

@Command(
        name = "token",
        mixinStandardHelpOptions = true,
        description = "The tokens with which callers show who they are.",
        subcommands = {TokenCreateCommand.class, TokenListCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb token create --name anna --role operator --file tokens")
final class TokenCommand extends CommandGroup {}
