package dev.ebb.cli.admin;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "token",
        description = "Tokens by which callers identify themselves.",
        subcommands = {TokenCreateCommand.class, TokenListCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb token create --name anna --role operator --file tokens")
public final class TokenCommand extends CommandGroup {}
