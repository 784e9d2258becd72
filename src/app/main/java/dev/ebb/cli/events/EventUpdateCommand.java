package dev.ebb.cli.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.TimeText;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.domain.command.CommandField;
import dev.ebb.domain.event.MetadataRule;
import dev.ebb.domain.time.DateBound;
import dev.ebb.domain.time.Durations;
import dev.ebb.domain.time.Times;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "update",
        description = "Changes an event; fields that are not given stay as they are.",
        footer = "  ebb event update orders/eu-1 e-1 --status completed")
final class EventUpdateCommand extends ApiCommand {

    @Mixin
    private OneEvent event;

    @Option(names = "--status", paramLabel = "STATUS", description = "The new status; '' for no status.")
    private @Nullable String status;

    @Option(
            names = "--completed-at",
            paramLabel = "TIME",
            description = "Time at which the event became terminal: " + Times.FORMS + ".")
    private @Nullable String completedAt;

    @ArgGroup
    private @Nullable Lifetime lifetime;

    @Option(
            names = "--metadata",
            paramLabel = "KEY=VALUE",
            description =
                    "Metadata that replaces all former metadata. May be repeated. A key that is empty or has an equals"
                            + " sign stands in quotation marks: '\"a=b\"=c'.")
    private @Nullable List<String> metadata;

    /** TTL of the event, by at most one option. */
    private static final class Lifetime {

        @Option(
                names = "--ttl",
                paramLabel = "DURATION",
                description = "Lifetime, counted from the anchor of the policy, in whole seconds: 90s, 15m, 30d.")
        private @Nullable String ttl;

        @Option(
                names = "--expires-at",
                paramLabel = "TIME",
                description =
                        "Last moment of the event: ISO-8601, a date, which means its end, or epoch with its unit.")
        private @Nullable String expiresAt;

        @Option(names = "--infinite", description = "Keep the event for ever, where the policy allows it.")
        private boolean infinite;

        @Option(names = "--inherit", description = "Remove the event's own TTL: the policy decides.")
        private boolean inherit;

        void putInto(ObjectNode update) {
            if (ttl != null) {
                update.put("ttlSeconds", seconds(ttl));
            } else if (expiresAt != null) {
                Json.putGiven(update, "expiresAt", TimeText.of(CommandField.EXPIRES_AT, "--expires-at", expiresAt));
            } else {
                update.put("noExpiration", infinite && !inherit);
            }
        }
    }

    @Override
    public Integer call() {
        ObjectNode update = update();
        if (update.isEmpty()) {
            throw CommandFailure.usage("nothing to change; name a field, for example --status completed");
        }
        JsonNode sent = api.connect().patch(RestPath.of("v1", "streams", event.stream(), "events", event.id()), update);
        output.print(sent, terminal -> terminal.out().println("sent; the event is changed in a moment"));
        return ExitCode.OK.code();
    }

    private ObjectNode update() {
        ObjectNode update = Json.object();
        Json.putGiven(update, "status", status);
        Json.putGiven(update, "completedAt", TimeText.past("--completed-at", completedAt, DateBound.BEGINNING));
        if (lifetime != null) {
            lifetime.putInto(update);
        }
        if (metadata != null) {
            ObjectNode texts = update.putObject("metadata");
            for (String text : metadata) {
                Map.Entry<String, String> read = MetadataRule.read(text);
                if (read == null) {
                    throw CommandFailure.usage("--metadata must be KEY=VALUE, was '" + text + "'");
                }
                if (texts.has(read.getKey())) {
                    throw CommandFailure.usage("--metadata names '" + read.getKey() + "' twice");
                }
                texts.put(read.getKey(), read.getValue());
            }
        }
        return update;
    }

    private static long seconds(String text) {
        try {
            long ms = Durations.parseMs(text);
            if (ms > 0 && ms % 1000 == 0) {
                return ms / 1000;
            }
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--ttl: " + e.getMessage(), e);
        }
        throw CommandFailure.usage("--ttl must be a positive number of whole seconds, was " + text);
    }
}
