package dev.ebb.domain.retention;

import dev.ebb.domain.event.StreamName;
import java.util.List;

/**
 * Explains a run of deletes of one stream with one cause and one policy version in one sweep (O-3).
 *
 * @param auditId identifies the record; unique over all partitions
 * @param origin the sweep or command that deleted
 * @param stream the stream from which the events were deleted
 * @param cause cause of the deletes
 * @param scope the scope of the policy that applies; {@code event} for an own TTL, {@code command} for a command
 * @param policyVersion the version of that policy; -1 if it is built in, the version of the whole set for an own TTL
 * @param eventIds ids of the events, in the order of their deletion; at most 1000
 * @param bytes size of the events, in bytes
 * @param oldestAnchorMs the oldest time from which the age of one of them was counted, epoch milliseconds
 * @param newestAnchorMs the newest such time, epoch milliseconds
 * @param deletedAtMs time of the deletes, epoch milliseconds
 */
public record AuditRecord(
        String auditId,
        Origin origin,
        StreamName stream,
        RemovalCause cause,
        String scope,
        long policyVersion,
        List<String> eventIds,
        long bytes,
        long oldestAnchorMs,
        long newestAnchorMs,
        long deletedAtMs) {

    public AuditRecord {
        eventIds = List.copyOf(eventIds);
    }
}
