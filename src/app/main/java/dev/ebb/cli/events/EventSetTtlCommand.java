package dev.ebb.cli.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.Question;
import dev.ebb.cli.options.TimeText;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.CommandOptions;
import dev.ebb.cli.send.DeletionOptions;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.domain.command.Command.SetTtl;
import dev.ebb.domain.command.CommandField;
import dev.ebb.wire.commands.CommandResultView;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "set-ttl",
        description = {
            "Changes the TTL of a stored event; readers see the change at once.",
            "Asks first if the event would then be due already, since the next sweep would delete it."
        },
        footer = {"  ebb event set-ttl orders/eu-1 e-1 --ttl 30d", "  ebb event set-ttl orders/eu-1 e-1 --inherit"})
final class EventSetTtlCommand implements Callable<Integer> {

    @Mixin
    private OneEvent event;

    @ArgGroup(multiplicity = "1")
    private Lifetime lifetime = new Lifetime();

    @Mixin
    private Question question;

    @Mixin
    private CommandOptions options;

    /** The new TTL: exactly one of these options. */
    private static final class Lifetime {

        @Option(names = "--ttl", paramLabel = "DURATION", description = "Lifetime from now: 90s, 15m, 30d.")
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

        /** Returns true if the options name a moment that has passed, or is passing just now. */
        boolean hasPassed() {
            Long last = TimeText.of(CommandField.EXPIRES_AT, "--expires-at", expiresAt);
            return last != null && last <= System.currentTimeMillis();
        }

        ObjectNode json() {
            ObjectNode json = Json.object();
            if (ttl != null) {
                return json.put("ttlMs", TimeText.durationMs("--ttl", ttl));
            }
            if (expiresAt != null) {
                return json.put("expiresAt", TimeText.of(CommandField.EXPIRES_AT, "--expires-at", expiresAt));
            }
            return json.put(infinite && !inherit ? "noExpiration" : "inherit", true);
        }
    }

    @Override
    public Integer call() {
        ObjectNode body = lifetime.json();
        body.put("stream", event.stream()).put("eventId", event.id());
        Supplier<CommandCall> calls = () -> CommandCall.of(SetTtl.KIND, body);
        if (!options.isDryRun() && !question.isAnswered()) {
            confirm(calls);
        }
        return options.run(calls);
    }

    /**
     * Asks where the event may go. A time that has passed always needs a confirmation; only the application knows what
     * the policy would do with the event.
     */
    private void confirm(Supplier<CommandCall> calls) {
        if (lifetime.hasPassed()) {
            question.require(
                    "that time has passed, so the event would be deleted; add --yes to do it, or --dry-run to see",
                    options::address,
                    terminal -> ask(terminal, calls.get(), options.preview(calls.get())));
        } else if (lifetime.inherit) {
            CommandResultView preview = options.preview(calls.get());
            if (goes(preview)) {
                question.require(
                        DeletionOptions.UNASKED, options::address, terminal -> ask(terminal, calls.get(), preview));
            }
        }
    }

    private String ask(Terminal terminal, CommandCall call, CommandResultView preview) {
        String question = DeletionOptions.show(terminal, options, call, preview);
        return goes(preview) ? question : "The event does not go now. Set this time anyway?";
    }

    private static boolean goes(CommandResultView preview) {
        return preview.outcome().deletions().eventsDeleted() > 0;
    }
}
