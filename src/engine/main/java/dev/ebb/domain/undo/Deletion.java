package dev.ebb.domain.undo;

import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import java.util.List;
import java.util.stream.Stream;

/**
 * The account of a deletion that can be undone, which suffices to select deletions without reading the deleted events.
 *
 * @param cause the cause of the deletion
 * @param scope the scope of the policy that applied; {@code command} for a command
 * @param policyVersion the version of that policy
 * @param change the newest change of policies in its scopes, which counts as the one that made it due, see {@code
 *     RecentChanges.Change}; empty for a command
 * @param formerChanges other changes in its scopes that were new then; one of them may have made it due
 * @param sweepId the sweep; empty if there was none
 * @param commandId the command; empty if there was none
 * @param deletedAtMs the time of the deletion, epoch milliseconds
 * @param untilMs the first millisecond at which it can no longer be undone, epoch milliseconds
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

    /** @param changes the changes that may have made it due, the newest first; empty for a command */
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

    /** Returns the command that deleted, or the sweep if there was no command. */
    public String author() {
        return commandId.isEmpty() ? sweepId : commandId;
    }

    /** Returns true if the deletion can still be undone at the given time, epoch milliseconds. */
    public boolean isOpen(long nowMs) {
        return nowMs < untilMs;
    }

    /** Returns all changes that may have made it due, the newest first; none for a command. */
    public Stream<String> changes() {
        return change.isEmpty() ? Stream.empty() : Stream.concat(Stream.of(change), formerChanges.stream());
    }
}
