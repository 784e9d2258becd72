package dev.ebb.cli.send;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.Refused;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.commands.CommandResultView;
import java.time.Duration;

/** Sends a command and stays until it is done, telling meanwhile how far it is. */
public final class CommandWatch {

    private static final Duration PAUSE = Duration.ofMillis(500);
    /** Longest time for which nothing may be known of a command, for instance because the instance was started anew. */
    private static final int MAX_UNKNOWN = 120;

    private final RestApi api;
    private final Terminal terminal;
    private volatile String progress = "sent";

    /** @param api says nothing itself about answers that take long */
    public CommandWatch(RestApi api, Terminal terminal) {
        this.api = api;
        this.terminal = terminal;
    }

    /**
     * The result of the command.
     *
     * @throws CommandFailure if it was refused
     */
    public JsonNode send(CommandCall call, String id) {
        try (Progress shown = Progress.saying(terminal, () -> progress)) {
            call.path().with("wait", 2);
            JsonNode result = call.send(api);
            if (isRunning(result)) {
                result = poll(id, result);
            }
            CommandResultView view = Json.as(result, CommandResultView.class);
            if (view.refusal() != null) {
                throw Refused.failure(view.refusal(), view.detail());
            }
            return result;
        }
    }

    private JsonNode poll(String id, JsonNode first) {
        JsonNode last = first;
        int unknown = 0;
        while (isRunning(last) && unknown < MAX_UNKNOWN) {
            CommandResultView soFar = Json.as(last, CommandResultView.class);
            progress = Texts.counted(soFar.eventsDeleted(), "event") + " of "
                    + Texts.counted(soFar.streamsProcessed(), "stream")
                    + "; goes on without you, see 'ebb command show "
                    + id + "'";
            JsonNode found = ask(id);
            unknown = found.isEmpty() ? unknown + 1 : 0;
            last = found.isEmpty() ? last : found;
        }
        if (isRunning(last)) {
            throw new CommandFailure(ExitCode.FAILED, "nothing is known of the command " + id + " any more");
        }
        return last;
    }

    private JsonNode ask(String id) {
        try {
            JsonNode found = api.find(RestPath.of("v1", "commands", id).with("wait", 5));
            if (found.isEmpty()) {
                Thread.sleep(PAUSE.toMillis());
            }
            return found;
        } catch (CommandFailure e) {
            throw new CommandFailure(
                    e.exitCode(), e.getMessage() + "\nThe command goes on; see 'ebb command show " + id + "'", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted; the command " + id + " goes on", e);
        }
    }

    private static boolean isRunning(JsonNode result) {
        return "RUNNING".equals(Json.as(result, CommandResultView.class).state());
    }
}
