package dev.ebb.domain.command;

import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.undo.UndoOutcome;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * State of a command. The last state of a command is its result; earlier ones report its progress.
 *
 * @param commandId the command
 * @param verb the kind of command, see {@link Command#verb}
 * @param state its state
 * @param refusal the reason of the refusal; null if it was not refused
 * @param detail the reason in words, with the cases of holds, the open ancestor and the like; empty if there is nothing
 *     to add
 * @param isDryRun true for a dry run, which deletes nothing
 * @param counts counts of its effects, or of those that a dry run predicts
 * @param parts for a sweep, deletes by stream and cause, the biggest first, at most {@link #MAX_PARTS}
 * @param partsLeftOut number of further parts, all smaller than those listed
 * @param rest sums of these further parts, the biggest first, at most {@link #MAX_PARTS}
 * @param sweepPointMs for a sweep, the time at which everything was decided, epoch milliseconds; null otherwise
 * @param policyVersion for a sweep, the version of the policies that it applied; null otherwise
 * @param plan the plan that it made or carried out; null if there is none
 * @param undo the events that come back and those that do not; null for other commands than an undo
 * @param progress its progress, if it is running and its progress is known; null otherwise
 * @param startedMs the time at which it began, epoch milliseconds
 * @param updatedMs the time of this report, epoch milliseconds
 * @param fingerprint the {@linkplain CommandRequest#fingerprint() fingerprint} of the command, which distinguishes it
 *     from another one with the same id; empty if the command could not be read
 */
public record CommandResult(
        String commandId,
        String verb,
        State state,
        @Nullable Refusal refusal,
        String detail,
        boolean isDryRun,
        CommandCounts counts,
        List<Part> parts,
        long partsLeftOut,
        List<Rest> rest,
        @Nullable Long sweepPointMs,
        @Nullable Long policyVersion,
        @Nullable PlanOutcome plan,
        @Nullable UndoOutcome undo,
        @Nullable CommandProgress progress,
        long startedMs,
        long updatedMs,
        String fingerprint) {

    /** Maximum number of parts that are listed one by one. */
    public static final int MAX_PARTS = 1000;

    /** States of a command. */
    public enum State {
        /** The command is being carried out; the counts are those so far. */
        RUNNING,
        /** The command is done. */
        DONE,
        /** The command was refused and has done nothing. */
        REFUSED
    }

    /**
     * Deletes from one stream for one cause.
     *
     * @param events number of events
     * @param bytes size of these events, in bytes
     */
    public record Part(String stream, RemovalCause cause, long events, long bytes) {

        public Part {
            Objects.requireNonNull(stream, "a part names its stream");
            Objects.requireNonNull(cause, "a part names its cause");
        }
    }

    /**
     * Deletes from one namespace for one cause that are in no part.
     *
     * @param events number of events
     * @param bytes size of these events, in bytes
     */
    public record Rest(String namespace, RemovalCause cause, long events, long bytes) {

        public Rest {
            Objects.requireNonNull(namespace, "a rest names its namespace");
            Objects.requireNonNull(cause, "a rest names its cause");
        }
    }

    public CommandResult {
        parts = List.copyOf(parts);
        rest = List.copyOf(rest);
    }

    /** Returns this result with the given progress; null if the progress is unknown. */
    public CommandResult at(@Nullable CommandProgress howFar) {
        return new CommandResult(
                commandId,
                verb,
                state,
                refusal,
                detail,
                isDryRun,
                counts,
                parts,
                partsLeftOut,
                rest,
                sweepPointMs,
                policyVersion,
                plan,
                undo,
                howFar,
                startedMs,
                updatedMs,
                fingerprint);
    }

    /** Creates a result without plan, rest, undo and progress. */
    public CommandResult(
            String commandId,
            String verb,
            State state,
            @Nullable Refusal refusal,
            String detail,
            boolean isDryRun,
            CommandCounts counts,
            List<Part> parts,
            long partsLeftOut,
            @Nullable Long sweepPointMs,
            @Nullable Long policyVersion,
            long startedMs,
            long updatedMs,
            String fingerprint) {
        this(
                commandId,
                verb,
                state,
                refusal,
                detail,
                isDryRun,
                counts,
                parts,
                partsLeftOut,
                List.of(),
                sweepPointMs,
                policyVersion,
                null,
                null,
                null,
                startedMs,
                updatedMs,
                fingerprint);
    }

    /**
     * Returns the number of events that would go but stayed: all of a dry run, and those that mode {@code warn} keeps
     * (O-5a).
     */
    public long wouldDelete() {
        return (isDryRun ? counts.eventsDeleted() : 0) + counts.warnedEvents();
    }

    /** Returns the size of the events that would go but stayed, in bytes. */
    public long wouldDeleteBytes() {
        return (isDryRun ? counts.bytesDeleted() : 0) + counts.warnedBytes();
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
