package dev.ebb.store.plan;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.retention.RemovalCause;
import org.jspecify.annotations.Nullable;

/**
 * An event, or an execution without events, that a plan names.
 *
 * @param sid the number of the stream when it was listed; a stream that is created again under the same name has
 *     another one. {@link #NO_SID} in an erasure, which also concerns copies
 * @param id the id of the event; null for an execution
 * @param number the {@code storedAt} of the event, epoch milliseconds, or the number of the execution
 * @param cause the cause for which the item would go
 */
public record PlannedItem(
        StreamName stream, int sid, @Nullable String id, long number, RemovalCause cause) {

    /** Says that no number is known. */
    public static final int NO_SID = -1;

    static PlannedItem execution(StreamName stream, int sid, long number, RemovalCause cause) {
        return new PlannedItem(stream, sid, null, number, cause);
    }

    /** Returns the digest of the event; {@link PlanDigest#NOTHING} for an execution. */
    public PlanDigest digest() {
        return id == null ? PlanDigest.NOTHING : PlanDigest.of(stream, id, number);
    }
}
