package dev.ebb.cli.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Gaps;
import dev.ebb.cli.options.StaleOptions;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.DeletionOptions;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.domain.command.Command.DeleteEvent;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
    EventCommand.GetCommand.class,
    EventUpdateCommand.class,
    EventSetTtlCommand.class,
    EventCommand.DeleteCommand.class
})
public final class EventCommand extends CommandGroup {

    @Command(
            name = "get",
            description = "Shows one event with all its fields.",
            footer = "  ebb event get orders/eu-1 e-1 -o json")
    static final class GetCommand extends ApiCommand {

        @Mixin
        private OneEvent event;

        @Option(names = "--include-expired", description = "Show the event even if it is due and waits for a sweep.")
        private boolean includeExpired;

        @Mixin
        private StaleOptions stale;

        @Override
        public Integer call() {
            JsonNode found = api.connect()
                    .get(stale.addTo(RestPath.of("v1", "streams", event.stream(), "events", event.id())
                            .withFlag("include-expired", includeExpired)));
            output.print(found, terminal -> table(terminal, found));
            Gaps.note(found, output);
            return ExitCode.OK.code();
        }

        private static void table(Terminal terminal, JsonNode event) {
            Table table = Table.ofFacts();
            event.properties().forEach(field -> table.fact(field.getKey(), text(field.getValue())));
            table.print(terminal);
        }

        private static String text(JsonNode value) {
            return value.isContainerNode() ? value.toString() : value.asText();
        }
    }

    @Command(
            name = "delete",
            description = "Deletes one event. Refused if the event is protected, unless --force is given, and always if"
                    + " a hold covers it.",
            footer = "  ebb event delete orders/eu-1 e-1 --reason 'request of its owner' --yes")
    static final class DeleteCommand implements Callable<Integer> {

        @Mixin
        private OneEvent event;

        @Option(names = "--force", description = "Delete the event even if it is protected.")
        private boolean force;

        @Mixin
        private DeletionOptions options;

        @Override
        public Integer call() {
            ObjectNode body = Json.object().put("stream", event.stream()).put("eventId", event.id());
            if (force) {
                body.put("force", true);
            }
            return options.run(() -> CommandCall.of(DeleteEvent.KIND, body));
        }
    }
}
