package dev.ebb.topology.observe;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.serde.text.JsonState;
import java.nio.charset.StandardCharsets;

/**
 * A command that a partition has begun and not finished, as its state notes it.
 *
 * @param commandId the command
 * @param verb the kind of command
 * @param actor the person who asks for it; empty if unknown
 * @param isDryRun true for a dry run
 * @param startedMs the time at which it began, epoch milliseconds
 * @param fingerprint the {@linkplain CommandRequest#fingerprint() fingerprint} of the command
 */
public record StartedCommand(
        String commandId, String verb, String actor, boolean isDryRun, long startedMs, String fingerprint) {

    /** Beginning of the names of all such notes. */
    static final String NOTE = "started/";

    public static StartedCommand of(CommandRequest request, long nowMs) {
        return new StartedCommand(
                request.commandId(),
                request.command().verb(),
                request.actor(),
                request.isDryRun(),
                nowMs,
                request.fingerprint());
    }

    /** Returns the name of the note on the command. */
    public static String noteOf(String commandId) {
        return NOTE + commandId;
    }

    public static StartedCommand read(byte[] note) {
        return JsonState.read(new String(note, StandardCharsets.UTF_8), StartedCommand.class);
    }

    /** Returns a report on the command that knows nothing of its progress. */
    public CommandResult running() {
        return new CommandResult(
                commandId,
                verb,
                CommandResult.State.RUNNING,
                null,
                "",
                isDryRun,
                Outcome.nothing(),
                startedMs,
                fingerprint);
    }
}
