package dev.ebb.domain.command;

import dev.ebb.domain.Reported;
import dev.ebb.domain.plan.PlanOutcome;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * State of a command. The last state of a command is its result; earlier ones report its progress.
 *
 * @param verb the kind of command, see {@link Command#verb}
 * @param dryRun true for a dry run, which deletes nothing
 * @param outcome its effects so far, or those that a dry run predicts
 * @param fingerprint the {@linkplain CommandRequest#fingerprint() fingerprint} of the command
 */
public record CommandResult(
        @Reported("The command.") String commandId,
        @Reported("The kind of command.") String verb,
        @Reported("RUNNING, DONE or REFUSED.") State state,

        @Reported("Why the command was refused; null unless it was.") @Nullable
        Refusal refusal,

        @Reported("The reason in words, and what else people should know; empty if there is nothing to add.")
        String detail,

        @Reported("True for a dry run, which deletes nothing.")
        boolean dryRun,

        @Reported("Effects of the command so far, or those that a dry run predicts.")
        Outcome outcome,

        @Reported("The plan that the dry run made or the command carried out; null if there is none.") @Nullable
        PlanOutcome plan,

        @Reported("The progress of a running command; null if it does not run, or does not know its progress.")
        @Nullable
        CommandProgress progress,

        @Reported("When the command began.") Instant startedAt,

        @Reported("The time of this report; of the last report, the end of the command.")
        Instant updatedAt,

        @Reported(
                "A UUID that distinguishes the command from another with the same id; empty if the command could not be"
                        + " read.")
        String fingerprint) {

    /** States of a command. */
    public enum State {
        /** The command has not ended: it waits or is being carried out; the outcome is what is known of it so far. */
        RUNNING,
        /** The command is done. */
        DONE,
        /** The command was refused, or broken off after a part of it, which stays done. */
        REFUSED
    }

    public CommandResult {
        // JSON that people or other versions wrote may leave them out.
        detail = Objects.requireNonNullElse(detail, "");
        Outcome told = Objects.requireNonNullElse(outcome, Outcome.nothing());
        outcome = dryRun ? told.predicted() : told;
    }

    /**
     * Creates a report without plan and progress.
     *
     * @param atMs the time of its beginning and of the report, epoch milliseconds
     */
    public CommandResult(
            String commandId,
            String verb,
            State state,
            @Nullable Refusal refusal,
            String detail,
            boolean isDryRun,
            Outcome outcome,
            long atMs,
            String fingerprint) {
        this(
                commandId,
                verb,
                state,
                refusal,
                detail,
                isDryRun,
                outcome,
                null,
                null,
                Instant.ofEpochMilli(atMs),
                Instant.ofEpochMilli(atMs),
                fingerprint);
    }

    /** Returns true if there was no room for the command: nothing of it is kept, and it may be sent again. */
    public boolean isTurnedAway() {
        return refusal == Refusal.BUSY;
    }

    /** Returns true if this is the last report on the command. */
    public boolean isFinal() {
        return state != State.RUNNING;
    }
}
