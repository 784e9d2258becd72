package dev.ebb.domain.command;

import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.undo.UndoOutcome;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * State of a command: the last one of a command is its result, earlier ones report its progress.
 *
 * @param commandId the command
 * @param verb the kind of command, see {@link Command#verb}
 * @param state its progress
 * @param refusal reason of the refusal; null if it was not refused
 * @param detail the reason in words, with the cases of holds, the open ancestor and the like; empty if there is nothing
 *     to add
 * @param isDryRun true for a dry run, which deletes nothing
 * @param counts counts of its effects, or of those that it would have
 * @param parts for a sweep, deletes by stream and cause, the biggest first, at most {@link #MAX_PARTS}
 * @param partsLeftOut number of further parts, all smaller than those listed
 * @param rest sums of these further parts, the biggest first, at most {@link #MAX_PARTS}
 * @param sweepPointMs for a sweep, the time against which everything was decided; null otherwise
 * @param policyVersion for a sweep, the version of the policies that it applied; null otherwise
 * @param plan the plan that it made or carried out; null if there is none
 * @param undo what comes back and what does not; null for a command that is no undo
 * @param progress how far it is, if it runs and can tell; null otherwise
 * @param startedMs time at which it began, epoch milliseconds
 * @param updatedMs time of this report, epoch milliseconds
 * @param fingerprint fingerprint of the {@linkplain CommandRequest#fingerprint() command}, which tells it from another
 *     one with the same id; empty if the command could not be read
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

    /** The most parts that are listed one by one. */
    public static final int MAX_PARTS = 1000;

    /** Progress of a command. */
    public enum State {
        /** The command is being carried out; the counts are those of its progress so far. */
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
     * Deletes from one namespace for one cause that stand in no part.
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
        // A former version has written its results without it.
        rest = rest == null ? List.of() : List.copyOf(rest);
    }

    /** This result with how far the command is; null: it cannot tell. */
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

    /** A result without a plan and without a rest, of a command that is no undo, with no progress. */
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

    /** Number of events that would go but did not: all of a dry run, and those that mode {@code warn} keeps (O-5a). */
    public long wouldDelete() {
        return (isDryRun ? counts.eventsDeleted() : 0) + counts.warnedEvents();
    }

    /** Size of the events that would go but did not, in bytes. */
    public long wouldDeleteBytes() {
        return (isDryRun ? counts.bytesDeleted() : 0) + counts.warnedBytes();
    }

    /** Returns true if this is the last report on the command. */
    public boolean isFinal() {
        return state != State.RUNNING;
    }
}
