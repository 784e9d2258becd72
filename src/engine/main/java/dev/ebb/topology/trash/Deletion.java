package dev.ebb.topology.trash;

import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.topology.wire.EbbHeaders;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Account of a deletion, in the headers of its records in the trash: enough to choose among them without a look at
 * payloads.
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

    static Deletion of(
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

    Headers headers() {
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.CAUSE, cause.name());
        EbbHeaders.set(headers, EbbHeaders.SCOPE, scope);
        EbbHeaders.set(headers, EbbHeaders.POLICY_VERSION, policyVersion);
        EbbHeaders.set(headers, EbbHeaders.CHANGE, change);
        EbbHeaders.set(headers, EbbHeaders.SWEEP_ID, sweepId);
        EbbHeaders.set(headers, EbbHeaders.COMMAND_ID, commandId);
        EbbHeaders.set(headers, EbbHeaders.DELETED_AT, deletedAtMs);
        EbbHeaders.set(headers, EbbHeaders.UNDO_UNTIL, untilMs);
        headers.setReadOnly();
        return headers;
    }

    /** @throws IllegalArgumentException if the headers are not those of a deletion */
    public static Deletion read(Headers headers) {
        return new Deletion(
                RemovalCause.valueOf(text(headers, EbbHeaders.CAUSE)),
                text(headers, EbbHeaders.SCOPE),
                EbbHeaders.number(headers, EbbHeaders.POLICY_VERSION, RemovalRule.BUILT_IN),
                text(headers, EbbHeaders.CHANGE),
                text(headers, EbbHeaders.SWEEP_ID),
                text(headers, EbbHeaders.COMMAND_ID),
                EbbHeaders.number(headers, EbbHeaders.DELETED_AT, 0),
                EbbHeaders.number(headers, EbbHeaders.UNDO_UNTIL, 0));
    }

    private static String text(Headers headers, String name) {
        String text = EbbHeaders.text(headers, name);
        return text == null ? "" : text;
    }
}
