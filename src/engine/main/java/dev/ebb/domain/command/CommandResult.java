package dev.ebb.domain.command;

import dev.ebb.domain.retention.RemovalCause;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of a command: the last one of a command is its result, earlier ones tell of its progress.
 *
 * @param commandId the command
 * @param verb what was asked for, see {@link Command#verb}
 * @param state how far it is
 * @param refusal why it was refused; null unless it was
 * @param detail the same for people, naming the cases of holds, the open ancestor and the like; empty if there is nothing
 *     to add
 * @param isDryRun whether nothing was deleted because nothing was to be
 * @param counts what it did, or would do
 * @param parts for a sweep, what goes by stream and cause, the biggest first, at most {@link #MAX_PARTS}
 * @param partsLeftOut how many more there are, all of them smaller than those
 * @param sweepPointMs for a sweep, the time against which everything was decided; null otherwise
 * @param policyVersion for a sweep, the version of the policies by which it was; null otherwise
 * @param startedMs when it was begun, epoch milliseconds
 * @param updatedMs when this was said, epoch milliseconds
 * @param fingerprint that of the {@linkplain CommandRequest#fingerprint() command}, so that another one under the same id is
 *     not taken for it; empty if it could not be read
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
        @Nullable Long sweepPointMs,
        @Nullable Long policyVersion,
        long startedMs,
        long updatedMs,
        String fingerprint) {

    /** More parts than these are not listed one by one. */
    public static final int MAX_PARTS = 1000;

    /** How far a command is. */
    public enum State {
        /** It is being carried out; counts are what it has done so far. */
        RUNNING,
        /** It is done. */
        DONE,
        /** It was refused and has done nothing. */
        REFUSED
    }

    /**
     * What goes from one stream for one cause.
     *
     * @param events how many events
     * @param bytes their size
     */
    public record Part(String stream, RemovalCause cause, long events, long bytes) {

        public Part {
            Objects.requireNonNull(stream, "a part names its stream");
            Objects.requireNonNull(cause, "a part names its cause");
        }
    }

    public CommandResult {
        parts = List.copyOf(parts);
    }

    /** A result that lists all of its parts, of a command without a fingerprint. */
    public CommandResult(
            String commandId,
            String verb,
            State state,
            @Nullable Refusal refusal,
            String detail,
            boolean isDryRun,
            CommandCounts counts,
            List<Part> parts,
            @Nullable Long sweepPointMs,
            @Nullable Long policyVersion,
            long startedMs,
            long updatedMs) {
        this(
                commandId,
                verb,
                state,
                refusal,
                detail,
                isDryRun,
                counts,
                parts,
                0,
                sweepPointMs,
                policyVersion,
                startedMs,
                updatedMs,
                "");
    }

    /** The same as the result of that command. */
    public CommandResult of(CommandRequest request) {
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
                sweepPointMs,
                policyVersion,
                startedMs,
                updatedMs,
                request.fingerprint());
    }

    /** How many events would go but did not: all of a dry run, and those that mode {@code warn} keeps (O-5a). */
    public long wouldDelete() {
        return (isDryRun ? counts.eventsDeleted() : 0) + counts.warnedEvents();
    }

    /** Their size. */
    public long wouldDeleteBytes() {
        return (isDryRun ? counts.bytesDeleted() : 0) + counts.warnedBytes();
    }

    /** Whether nothing more will be said about the command. */
    public boolean isFinal() {
        return state != State.RUNNING;
    }
}
