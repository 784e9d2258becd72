package dev.ebb.cli.admin;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "token",
        description = "Tokens by which callers identify themselves.",
        footer = "  ebb token create --name anna --role operator --file tokens")
@Subcommands({TokenCreateCommand.class, TokenListCommand.class})
public final class TokenCommand extends CommandGroup {}
