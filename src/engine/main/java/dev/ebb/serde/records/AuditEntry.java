package dev.ebb.serde.records;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An audit record as it was read (O-3): a run of deletes, or a change of a policy. Texts are as they were written, also
 * by a newer version. Times are epoch milliseconds.
 *
 * @param auditId identifies the record
 * @param action the action, for example DELETE or POLICY_SET
 * @param atMs time of the action
 * @param scope the scope of the policy that applied or that changed
 * @param sweepId the sweep that deleted; null if there is none
 * @param commandId the command that asked for it; null if there is none
 * @param stream the stream that lost events; null if there is none
 * @param cause the cause of the deletes; null if there were none
 * @param policyVersion the version of the policy; null if none is concerned
 * @param eventIds ids of the deleted events, in the order of their deletion
 * @param bytes size of the deleted events, in bytes
 * @param oldestAnchorMs the oldest time from which the age of a deleted event was counted; null if there are none
 * @param newestAnchorMs the newest such time; null if there are none
 * @param policy the policy after a change, as JSON; null if there is none
 * @param actor the person who asked for it; empty if there is none
 * @param reason the reason of that person; empty if not named
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

    /** Whether this is a record of that sweep or command. */
    public boolean isOf(String sweepOrCommand) {
        return sweepOrCommand.equals(sweepId) || sweepOrCommand.equals(commandId);
    }
}
