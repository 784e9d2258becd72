package dev.ebb.domain.command;

import dev.ebb.domain.Sha256;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.Origin;
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
 * @param maxDeletes the maximum number of events that the command may delete without being refused; null for no limit
 * @param command the command itself
 * @param plan the plan that the command carries out, and nothing else, or with which a dry run is compared; null if
 *     there is none
 * @param commandRecord the place of the command among all commands, {@code partition/offset}; null until a task takes it
 */
public record CommandRequest(
        String commandId,
        String actor,
        String reason,
        boolean isDryRun,
        @Nullable Long maxDeletes,
        Command command,
        @Nullable String plan,
        @Nullable String commandRecord) {

    /** Key of erasures whose events were not seen before: one partition leads them, where their deletes add up. */
    private static final StreamName ERASURES = new StreamName("erasures");

    public CommandRequest {
        Objects.requireNonNull(commandId, "a command has an id");
        Objects.requireNonNull(actor, "a command has an actor, maybe an empty one");
        Objects.requireNonNull(reason, "a command has a reason, maybe an empty one");
        Objects.requireNonNull(command, "a command asks for something");
    }

    /** Creates a request that no task has taken yet. */
    public CommandRequest(
            String commandId,
            String actor,
            String reason,
            boolean isDryRun,
            @Nullable Long maxDeletes,
            Command command,
            @Nullable String plan) {
        this(commandId, actor, reason, isDryRun, maxDeletes, command, plan, null);
    }

    /** Creates a request without a plan, which is decided when it is carried out. */
    public CommandRequest(
            String commandId,
            String actor,
            String reason,
            boolean isDryRun,
            @Nullable Long maxDeletes,
            Command command) {
        this(commandId, actor, reason, isDryRun, maxDeletes, command, null);
    }

    /**
     * Returns the key of the command, whose partition leads it: a single stream, the dry run that made its plan, or the
     * command's own id. The rules of names hold for an id too.
     */
    public StreamName key() {
        if (command instanceof Command.OfStream one) {
            return one.stream();
        }
        if (isUnseenErasure()) {
            return ERASURES;
        }
        return new StreamName(plan == null ? commandId : plan);
    }

    /** Returns true for the deletion of all that matches, without a plan: the brake counts it together with others (T-15). */
    public boolean isUnseenErasure() {
        return command instanceof Command.OfMatches && !isDryRun && plan == null;
    }

    /** Returns this request with the command of its plan in place of its own. */
    public CommandRequest of(Command planned) {
        return new CommandRequest(commandId, actor, reason, isDryRun, null, planned, plan, commandRecord);
    }

    /** Returns this request as a dry run. */
    public CommandRequest asDryRun() {
        return new CommandRequest(commandId, actor, reason, true, maxDeletes, command, plan, commandRecord);
    }

    /** Returns this request as the task has taken it from that place, {@code partition/offset}. */
    public CommandRequest from(String place) {
        return new CommandRequest(commandId, actor, reason, isDryRun, maxDeletes, command, plan, place);
    }

    /** Returns the origin of what the command does. */
    public Origin origin() {
        return Origin.ofCommand(commandId, actor, reason, Objects.requireNonNullElse(commandRecord, ""));
    }

    /** Returns true for a dry run whose result is a plan. */
    public boolean makesPlan() {
        return isDryRun && plan == null && Command.Kinds.of(command).takes(CommandField.PLAN);
    }

    /**
     * Returns the id of an audit record of which the command has one: it names the place of the command, since another
     * command may have the same id after this one is forgotten.
     *
     * @param what one word for the record
     */
    public String auditId(String what) {
        return commandId + "-" + origin().commandRecord().replace('/', '-') + "-" + what;
    }

    /** Returns a UUID of the request, regardless of its actor and reason: equal commands have equal UUIDs. */
    public String fingerprint() {
        // Parts of the planned command that a request with a plan repeats do not matter, except a file that is compared
        // with the plan.
        String asked = plan == null
                ? isDryRun + " " + maxDeletes + " " + command
                : isDryRun + " plan " + plan + " " + command.verb() + file();
        return UUID.nameUUIDFromBytes(asked.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** Returns the file of policies of a dry run, as a strong hash: a forged file could match a weak one. */
    private String file() {
        return command instanceof Command.SweepNow sweep && sweep.policies() != null
                ? " " + sweep.prunesPolicies() + " "
                        + HexFormat.of().formatHex(Sha256.of(sweep.policies().getBytes(StandardCharsets.UTF_8)))
                : "";
    }
}
