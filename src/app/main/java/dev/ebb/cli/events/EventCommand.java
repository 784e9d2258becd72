package dev.ebb.cli.events;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "event",
        description = "Events of a stream.",
        footer = {
            "  ebb event list orders/eu-1 --status pending",
            "  ebb event update orders/eu-1 e-1 --status completed",
            "  ebb event set-ttl orders/eu-1 e-1 --ttl 30d"
        })
@Subcommands({
    EventListCommand.class,
    EventGetCommand.class,
    EventUpdateCommand.class,
    EventSetTtlCommand.class,
    EventDeleteCommand.class
})
public final class EventCommand extends CommandGroup {}
