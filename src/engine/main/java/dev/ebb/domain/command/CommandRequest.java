package dev.ebb.domain.command;

import dev.ebb.domain.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A command as it was sent.
 *
 * @param commandId identifies the command, which is carried out once even if it is sent twice; 1 to 255 characters
 * @param actor the person who asks for it; empty if unknown
 * @param reason the reason for it; empty if unknown
 * @param isDryRun true to report only what the command would do
 * @param maxDeletes the most events that it may delete, or else it is refused; null for no such bound
 * @param command the command itself
 * @param plan the plan that it carries out, and nothing else, or against which a dry run is held; null if there is none
 */
public record CommandRequest(
        String commandId,
        String actor,
        String reason,
        boolean isDryRun,
        @Nullable Long maxDeletes,
        Command command,
        @Nullable String plan) {

    public CommandRequest {
        Objects.requireNonNull(commandId, "a command has an id");
        Objects.requireNonNull(actor, "a command has an actor, maybe an empty one");
        Objects.requireNonNull(reason, "a command has a reason, maybe an empty one");
        Objects.requireNonNull(command, "a command asks for something");
    }

    /** A request that is decided when it is carried out. */
    public CommandRequest(
            String commandId,
            String actor,
            String reason,
            boolean isDryRun,
            @Nullable Long maxDeletes,
            Command command) {
        this(commandId, actor, reason, isDryRun, maxDeletes, command, null);
    }

    /** This request with the command of its plan, whatever it repeats of that command itself. */
    public CommandRequest of(Command planned) {
        return new CommandRequest(commandId, actor, reason, isDryRun, null, planned, plan);
    }

    /** This request as a dry run. */
    public CommandRequest asDryRun() {
        return new CommandRequest(commandId, actor, reason, true, maxDeletes, command, plan);
    }

    /** Returns true if it is a dry run whose result is a plan. */
    public boolean makesPlan() {
        return isDryRun && plan == null && Command.Kinds.of(command).takes(CommandField.PLAN);
    }

    /** Identifies the request itself, regardless of its actor and reason: equal commands have equal UUIDs. */
    public String fingerprint() {
        // What a request with a plan repeats of the planned command does not matter, but for a file that is held
        // against it.
        String asked = plan == null
                ? isDryRun + " " + maxDeletes + " " + command
                : isDryRun + " plan " + plan + " " + command.verb() + file();
        return UUID.nameUUIDFromBytes(asked.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** The file of policies that a dry run is about; its strong hash, since a file may be made to look like another. */
    private String file() {
        return command instanceof Command.SweepNow sweep && sweep.policies() != null
                ? " " + sweep.prunesPolicies() + " "
                        + HexFormat.of().formatHex(Sha256.of(sweep.policies().getBytes(StandardCharsets.UTF_8)))
                : "";
    }
}
