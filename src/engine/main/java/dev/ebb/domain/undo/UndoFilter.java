package dev.ebb.domain.undo;

import dev.ebb.domain.event.StreamName;
import org.jspecify.annotations.Nullable;

/**
 * Selects deletes that are undone (T-2). One of {@code command}, {@code sweep}, {@code policy} and {@code sinceMs} is
 * given; all that is given must hold.
 *
 * @param command the command that deleted
 * @param sweep the sweep that deleted
 * @param policy the policy of which a change may have made the events due, or by whose rule they went: its scope; or
 *     {@code hold:<case>} for the release of a hold
 * @param version the version of that change or rule; null for any
 * @param sinceMs the earliest time of the delete, epoch milliseconds
 * @param untilMs the delete lies before that time, epoch milliseconds; null for no bound
 * @param namespace only events of streams of it; null for all
 * @param stream only events of it; null for all
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

    /** Returns true if the delete of something of that stream is meant, whether or not it can still be undone. */
    public boolean isMet(StreamName of, Deletion deletion) {
        return (stream == null || stream.equals(of))
                && (namespace == null || namespace.equals(of.namespace()))
                && (command == null || command.equals(deletion.commandId()))
                && (sweep == null || sweep.equals(deletion.sweepId()))
                && (policy == null || isOfPolicy(deletion))
                && (sinceMs == null || deletion.deletedAtMs() >= sinceMs)
                && (untilMs == null || deletion.deletedAtMs() < untilMs);
    }

    /** A later change must not hide the one that is named, so the policy whose rule applied counts as well. */
    private boolean isOfPolicy(Deletion deletion) {
        return deletion.changes().anyMatch(this::isOfPolicy)
                || (deletion.scope().equals(policy) && (version == null || version == deletion.policyVersion()));
    }

    private boolean isOfPolicy(String change) {
        if (version != null) {
            return change.equals(policy + "@" + version);
        }
        // A name may have an @ as well.
        int end = change.lastIndexOf('@');
        return end >= 0 && change.substring(0, end).equals(policy);
    }
}
