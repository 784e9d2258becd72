package dev.ebb.domain.undo;

import dev.ebb.domain.event.StreamName;
import org.jspecify.annotations.Nullable;

/**
 * The deletes that an undo selects (T-2). Exactly one of {@code command}, {@code sweep}, {@code policy} and {@code
 * sinceMs} is given; all given conditions must hold.
 *
 * @param command the command that deleted
 * @param sweep the sweep that deleted
 * @param policy the scope of the policy whose change may have made the events due, or whose rule deleted them; or
 *     {@code hold:<case>} for the release of a hold
 * @param version the version of that change or rule; null for any
 * @param sinceMs the earliest time of the delete, inclusive, epoch milliseconds
 * @param untilMs the latest time of the delete, exclusive, epoch milliseconds; null for no bound
 * @param namespace the namespace of the streams; null for all
 * @param stream the stream; null for all
 */
public record UndoFilter(
        @Nullable String command,
        @Nullable String sweep,
        @Nullable String policy,
        @Nullable Long version,
        @Nullable Long sinceMs,
        @Nullable Long untilMs,
        @Nullable String namespace,
        @Nullable StreamName stream) {

    /** Returns true if the filter selects the deletion in the given stream, whether or not it can still be undone. */
    public boolean isMet(StreamName of, Deletion deletion) {
        return (stream == null || stream.equals(of))
                && (namespace == null || namespace.equals(of.namespace()))
                && (command == null || command.equals(deletion.commandId()))
                && (sweep == null || sweep.equals(deletion.sweepId()))
                && (policy == null || isOfPolicy(deletion))
                && (sinceMs == null || deletion.deletedAtMs() >= sinceMs)
                && (untilMs == null || deletion.deletedAtMs() < untilMs);
    }

    /**
     * Returns true if a delete that the filter selects may be counted in that sum: a sum names only the newest of the
     * changes that may have made its deletes due.
     */
    public boolean mayMean(TrashSum sum) {
        return isCountedIn(sum);
    }

    /**
     * Returns true if the sum promises deletes that the filter selects, as far as sums tell: those of one reason,
     * namespace and stretch of time are counted together, whatever their streams, sweeps and exact times.
     */
    public boolean isPromised(TrashSum sum) {
        boolean isOfOthers = sum.namespace().equals(TrashSum.OTHERS);
        return isCountedIn(sum)
                && (policy == null
                        || isOfOthers
                        || isOfPolicy(sum.reason().change())
                        || sum.reason().scope().equals(policy));
    }

    private boolean isCountedIn(TrashSum sum) {
        boolean isOfOthers = sum.namespace().equals(TrashSum.OTHERS);
        boolean isOfCommand = sum.reason().cause().isCommand();
        return (stream == null || isOfOthers || stream.namespace().equals(sum.namespace()))
                && (namespace == null || isOfOthers || namespace.equals(sum.namespace()))
                && (command == null || isOfOthers || command.equals(sum.reason().commandId()))
                && (sweep == null || !isOfCommand)
                && (policy == null || !isOfCommand)
                && (sinceMs == null || sum.lastMs() >= sinceMs)
                && (untilMs == null || sum.firstMs() < untilMs);
    }

    /** Returns true also for the policy whose rule applied, so that a later change does not hide the named one. */
    private boolean isOfPolicy(Deletion deletion) {
        return deletion.changes().anyMatch(this::isOfPolicy)
                || (deletion.scope().equals(policy) && (version == null || version == deletion.policyVersion()));
    }

    private boolean isOfPolicy(String change) {
        if (version != null) {
            return change.equals(policy + "@" + version);
        }
        // A name may contain an @ as well.
        int end = change.lastIndexOf('@');
        return end >= 0 && change.substring(0, end).equals(policy);
    }
}
