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
