package dev.ebb.topology.removal;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.store.layout.EventHeader;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Trail that joins the deletes of one sweep or command into audit records (O-3): a record for each run of deletes of
 * one stream with one cause by one rule and under one term of undo. A run must be closed before the punctuation ends, so that it shares the
 * transaction of its deletes. Not thread-safe.
 */
final class AuditTrail {

    private final Outbox outbox;
    private final Origin origin;
    private final String auditIdPrefix;
    private int records;
    private @Nullable Run run;

    /**
     * @param origin the sweep or command that deletes
     * @param auditIdPrefix unique over all partitions and times; the numbers of the records follow it
     */
    AuditTrail(Outbox outbox, Origin origin, String auditIdPrefix) {
        this.outbox = outbox;
        this.origin = origin;
        this.auditIdPrefix = auditIdPrefix;
    }

    /** @param undoUntilMs the first millisecond at which the delete can no longer be undone; 0 if it is final */
    void add(
            StreamName stream,
            EventHeader event,
            RemovalCause cause,
            RemovalRule rule,
            long anchorMs,
            long undoUntilMs,
            long nowMs) {
        Run current = run;
        if (current == null || current.undoUntilMs() != undoUntilMs || !current.takes(stream, event, cause, rule)) {
            close();
            current = new Run(stream, cause, rule, nowMs, undoUntilMs, new IdRun(outbox.limits()));
            run = current;
        }
        current.events().add(event, anchorMs);
    }

    /** Sends the records that have been collected. */
    void close() {
        if (run != null) {
            outbox.audit(run.toRecord(auditIdPrefix + "-" + records++, origin));
            run = null;
        }
    }

    private record Run(
            StreamName stream, RemovalCause cause, RemovalRule rule, long deletedAtMs, long undoUntilMs, IdRun events) {

        boolean takes(StreamName otherStream, EventHeader event, RemovalCause otherCause, RemovalRule otherRule) {
            return cause == otherCause
                    && stream.equals(otherStream)
                    && Objects.equals(rule, otherRule)
                    && events.takes(event);
        }

        AuditRecord toRecord(String auditId, Origin origin) {
            AuditRecord record = new AuditRecord(
                    auditId,
                    origin,
                    stream,
                    cause,
                    rule.scope(),
                    rule.policyVersion(),
                    events.ids(),
                    events.bytes(),
                    events.oldestMs(),
                    events.newestMs(),
                    deletedAtMs);
            return undoUntilMs == 0 ? record : record.undoableUntil(undoUntilMs);
        }
    }
}
