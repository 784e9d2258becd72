package dev.ebb.domain.undo;

import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;

/**
 * Account of a deletion that can be undone: enough to choose among deletions without a look at what they took.
 *
 * @param cause its cause
 * @param scope the scope of the policy that applied; {@code command} for a command
 * @param policyVersion the version of that policy
 * @param change the change of policies that made it due, see {@code RecentChanges.Change}; empty for a command
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
        String sweepId,
        String commandId,
        long deletedAtMs,
        long untilMs) {

    public static Deletion of(
            RemovalCause cause, RemovalRule rule, String change, Origin origin, long deletedAtMs, long undoMs) {
        return new Deletion(
                cause,
                rule.scope(),
                rule.policyVersion(),
                change,
                origin.sweepId(),
                origin.commandId(),
                deletedAtMs,
                deletedAtMs + undoMs);
    }

    /** Returns true if the deletion can still be undone at that time. */
    public boolean isOpen(long nowMs) {
        return nowMs < untilMs;
    }
}
