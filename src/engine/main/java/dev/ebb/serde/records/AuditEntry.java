package dev.ebb.serde.records;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An audit record as it was read (O-3): a run of deletes, or a change of a policy. All texts are as they were written,
 * also by a newer version. Times are epoch milliseconds.
 *
 * @param auditId identifies the record
 * @param action what was done, for example DELETE or POLICY_SET
 * @param atMs when
 * @param scope the scope of the policy that says so or that changed
 * @param sweepId the sweep that deleted; null if none did
 * @param commandId the command that asked for it; null if none did
 * @param stream the stream that lost events; null if none did
 * @param cause why it lost them; null if it did not
 * @param policyVersion the version of the policy; null if none is concerned
 * @param eventIds which events went, in the order of their deletion
 * @param bytes their size
 * @param oldestAnchorMs the oldest time that their age was counted from; null if there are none
 * @param newestAnchorMs the newest such time; null if there are none
 * @param policy the policy after a change, as JSON; null if there is none
 * @param actor who asked for it; empty if nobody did
 * @param reason why they asked; empty if they did not say
 */
public record AuditEntry(
        String auditId,
        String action,
        long atMs,
        String scope,
        @Nullable String sweepId,
        @Nullable String commandId,
        @Nullable String stream,
        @Nullable String cause,
        @Nullable Long policyVersion,
        List<String> eventIds,
        long bytes,
        @Nullable Long oldestAnchorMs,
        @Nullable Long newestAnchorMs,
        @Nullable String policy,
        String actor,
        String reason) {

    public AuditEntry {
        eventIds = List.copyOf(eventIds);
    }

    /** Whether that sweep or command deleted. */
    public boolean isOf(String sweepOrCommand) {
        return sweepOrCommand.equals(sweepId) || sweepOrCommand.equals(commandId);
    }
}
