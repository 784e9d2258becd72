package dev.ebb.domain.undo;

import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import java.util.List;
import java.util.stream.Stream;

/**
 * Account of a deletion that can be undone: enough to choose among deletions without a look at what they took.
 *
 * @param cause its cause
 * @param scope the scope of the policy that applied; {@code command} for a command
 * @param policyVersion the version of that policy
 * @param change the change of policies that made it due, see {@code RecentChanges.Change}: the newest in its scopes; empty
 *     for a command
 * @param formerChanges other changes in its scopes that were new then, of which one may have made it due
 * @param sweepId the sweep; empty if there was none
 * @param commandId the command; empty if there was none
 * @param deletedAtMs its time, epoch milliseconds
 * @param untilMs time from which it cannot be undone any more, epoch milliseconds
 */
public record Deletion(
        RemovalCause cause,
        String scope,
        long policyVersion,
        String change,
        List<String> formerChanges,
        String sweepId,
        String commandId,
        long deletedAtMs,
        long untilMs) {

    public Deletion {
        formerChanges = List.copyOf(formerChanges);
    }

    /** A deletion of which no change, or only one, may be the reason. */
    public Deletion(
            RemovalCause cause,
            String scope,
            long policyVersion,
            String change,
            String sweepId,
            String commandId,
            long deletedAtMs,
            long untilMs) {
        this(cause, scope, policyVersion, change, List.of(), sweepId, commandId, deletedAtMs, untilMs);
    }

    /** @param changes the changes that may have made it due, the newest first; none for a command */
    public static Deletion of(
            RemovalCause cause, RemovalRule rule, List<String> changes, Origin origin, long deletedAtMs, long undoMs) {
        return new Deletion(
                cause,
                rule.scope(),
                rule.policyVersion(),
                changes.isEmpty() ? "" : changes.get(0),
                changes.isEmpty() ? List.of() : changes.subList(1, changes.size()),
                origin.sweepId(),
                origin.commandId(),
                deletedAtMs,
                deletedAtMs + undoMs);
    }

    /** Returns true if the deletion can still be undone at that time. */
    public boolean isOpen(long nowMs) {
        return nowMs < untilMs;
    }

    /** All changes that may have made it due, the newest first; none for a command. */
    public Stream<String> changes() {
        return change.isEmpty() ? Stream.empty() : Stream.concat(Stream.of(change), formerChanges.stream());
    }
}
