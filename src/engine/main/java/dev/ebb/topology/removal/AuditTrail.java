package dev.ebb.topology.removal;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.store.layout.EventHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Joins the deletes of one sweep or command into audit records (O-3): a run of deletes of one stream with one cause by one rule. A
 * run must be closed before the punctuation ends, so that it shares the transaction of its deletes. Not thread-safe.
 */
final class AuditTrail {

    private static final int MAX_IDS = 1000;
    private static final int ID_OVERHEAD_BYTES = 2;

    private final Outbox outbox;
    private final Origin origin;
    private final String auditIdPrefix;
    private final int maxIdBytes;
    private int records;
    private @Nullable Run run;

    /**
     * @param origin the sweep or command that deletes
     * @param auditIdPrefix unique over all partitions and times; the records are numbered behind it
     */
    AuditTrail(Outbox outbox, Origin origin, String auditIdPrefix) {
        this.outbox = outbox;
        this.origin = origin;
        this.auditIdPrefix = auditIdPrefix;
        this.maxIdBytes = outbox.limits().auditIdBytes();
    }

    void add(StreamName stream, EventHeader event, RemovalCause cause, RemovalRule rule, long anchorMs, long nowMs) {
        Run current = run;
        int idBytes = Utils.utf8Length(event.id()) + ID_OVERHEAD_BYTES;
        if (current == null || !current.takes(stream, idBytes, cause, rule, maxIdBytes)) {
            close();
            current = new Run(stream, cause, rule, nowMs);
            run = current;
        }
        current.add(event, idBytes, anchorMs);
    }

    /** Sends the records that have been collected. */
    void close() {
        if (run != null) {
            outbox.audit(run.toRecord(auditIdPrefix + "-" + records++, origin));
            run = null;
        }
    }

    private static final class Run {

        private final StreamName stream;
        private final RemovalCause cause;
        private final RemovalRule rule;
        private final long deletedAtMs;
        private final List<String> ids = new ArrayList<>();
        private int idBytes;
        private long bytes;
        private long oldestMs = Long.MAX_VALUE;
        private long newestMs;

        Run(StreamName stream, RemovalCause cause, RemovalRule rule, long deletedAtMs) {
            this.stream = stream;
            this.cause = cause;
            this.rule = rule;
            this.deletedAtMs = deletedAtMs;
        }

        boolean takes(
                StreamName otherStream,
                int moreIdBytes,
                RemovalCause otherCause,
                RemovalRule otherRule,
                int maxIdBytes) {
            return cause == otherCause
                    && stream.equals(otherStream)
                    && Objects.equals(rule, otherRule)
                    && ids.size() < MAX_IDS
                    && idBytes + moreIdBytes <= maxIdBytes;
        }

        void add(EventHeader event, int moreIdBytes, long anchorMs) {
            ids.add(event.id());
            idBytes += moreIdBytes;
            bytes += event.sizeBytes();
            oldestMs = Math.min(oldestMs, anchorMs);
            newestMs = Math.max(newestMs, anchorMs);
        }

        AuditRecord toRecord(String auditId, Origin origin) {
            return new AuditRecord(
                    auditId,
                    origin,
                    stream,
                    cause,
                    rule.scope(),
                    rule.policyVersion(),
                    ids,
                    bytes,
                    oldestMs,
                    newestMs,
                    deletedAtMs);
        }
    }
}
