package dev.ebb.cli.send;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.Refused;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.command.CommandProgress;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.wire.commands.CommandResultView;
import java.time.Duration;
import java.util.Locale;

/** Sends a command and waits until it is done, showing its progress. */
public final class CommandWatch {

    private static final Duration PAUSE = Duration.ofMillis(500);
    /** Most answers in a row that know nothing of the command, for instance after a restart of the instance. */
    private static final int MAX_UNKNOWN = 120;

    private static final String PREPARED = "prepared";
    private static final int BAR = 30;

    private final RestApi api;
    private final Terminal terminal;
    private volatile String progress = "sent";

    /** @param api a client that shows no waits for late answers itself */
    public CommandWatch(RestApi api, Terminal terminal) {
        this.api = api;
        this.terminal = terminal;
    }

    /**
     * Sends the command and returns its result.
     *
     * @throws CommandFailure if the command was refused
     */
    public JsonNode send(CommandCall call, String id) {
        try (Progress shown = Progress.saying(terminal, () -> progress)) {
            call.path().with("wait", 2);
            JsonNode first = call.send(api);
            JsonNode result = first;
            if (isRunning(first)) {
                result = poll(id, first);
                if (result instanceof ObjectNode last) {
                    last.setAll(kept(first));
                }
            }
            CommandResultView view = Json.as(result, CommandResultView.class);
            Refusal refusal = view.result().refusal();
            if (refusal != null) {
                throw Refused.failure(refusal.name(), view.result().detail() + stands(view));
            }
            return result;
        }
    }

    /** Returns what only the first answer tells: the preparation, and the moments that were understood. */
    private static ObjectNode kept(JsonNode first) {
        ObjectNode kept = Json.object();
        if (first.path(PREPARED).isObject()) {
            kept.set(PREPARED, first.path(PREPARED));
        }
        OutputOptions.keepMoments(first, kept);
        return kept;
    }

    /** Returns the text about the preparation in the same act, which stays in place after the command. */
    private static String stands(CommandResultView view) {
        return view.prepared() == null ? "" : "; " + view.prepared().text();
    }

    private JsonNode poll(String id, JsonNode first) {
        JsonNode last = first;
        int unknown = 0;
        while (isRunning(last) && unknown < MAX_UNKNOWN) {
            CommandResultView soFar = Json.as(last, CommandResultView.class);
            progress = howFar(soFar) + "; continues on its own, see 'ebb command show " + id + "'";
            JsonNode found = ask(id, stands(Json.as(first, CommandResultView.class)));
            unknown = found.isEmpty() ? unknown + 1 : 0;
            last = found.isEmpty() ? last : found;
        }
        if (isRunning(last)) {
            throw new CommandFailure(ExitCode.FAILED, "the command " + id + " is no longer known");
        }
        return last;
    }

    /** Returns a bar where the total is known, or else the counts alone. */
    private static String howFar(CommandResultView soFar) {
        CommandProgress known = soFar.result().progress();
        return known == null || known.total() == 0
                ? counts(soFar.outcome())
                : bar(known, soFar.outcome().deletions().eventsDeleted());
    }

    private static String counts(Outcome outcome) {
        if (outcome instanceof Outcome.Undone undo) {
            return Texts.counted(undo.events(), "event") + " of " + Texts.counted(undo.streams(), "stream") + " back";
        }
        Outcome.Deleted gone = outcome.deletions();
        return Texts.counted(gone.eventsDeleted(), "event") + " of " + Texts.counted(gone.streamsProcessed(), "stream");
    }

    private static String bar(CommandProgress known, long found) {
        double part = known.part();
        return String.format(
                Locale.ROOT,
                "%s %3.0f %%  %,d of %,d events looked at, %,d found",
                Progress.bar(part, BAR),
                100 * part,
                known.done(),
                known.total(),
                found);
    }

    /** @param stands the text that is added if the application can no longer be asked */
    private JsonNode ask(String id, String stands) {
        try {
            JsonNode found = api.find(RestPath.of("v1", "commands", id).with("wait", 5));
            if (found.isEmpty()) {
                Thread.sleep(PAUSE.toMillis());
            }
            return found;
        } catch (CommandFailure e) {
            throw new CommandFailure(
                    e.exitCode(),
                    e.getMessage() + "\nThe command continues; see 'ebb command show " + id + "'" + stands,
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted; the command " + id + " continues", e);
        }
    }

    private static boolean isRunning(JsonNode result) {
        return !Json.as(result, CommandResultView.class).result().isFinal();
    }
}
