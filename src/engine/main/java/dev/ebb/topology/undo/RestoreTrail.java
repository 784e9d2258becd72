package dev.ebb.topology.undo;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Origin;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.topology.removal.IdRun;
import dev.ebb.topology.removal.Outbox;
import org.jspecify.annotations.Nullable;

/**
 * Trail that joins the events that one slice of an undo brings back into audit records (T-2): a record for each run of
 * events of one stream. Must be closed before the slice ends, so that the records share the transaction of the returns.
 * Not thread-safe.
 */
final class RestoreTrail {

    private final Outbox outbox;
    private final Origin origin;
    private final String auditIdPrefix;
    private int records;
    private @Nullable Run run;

    /** @param auditIdPrefix unique over all partitions and times; the numbers of the records follow it */
    RestoreTrail(Outbox outbox, Origin origin, String auditIdPrefix) {
        this.outbox = outbox;
        this.origin = origin;
        this.auditIdPrefix = auditIdPrefix;
    }

    private record Run(StreamName stream, String undoes, long atMs, IdRun events) {}

    /** @param undoes the sweep or command that had deleted the event */
    void add(StreamName stream, String undoes, EventHeader event, long anchorMs, long nowMs) {
        Run current = run;
        if (current == null
                || !current.stream().equals(stream)
                || !current.undoes().equals(undoes)
                || !current.events().takes(event)) {
            close();
            current = new Run(stream, undoes, nowMs, new IdRun(outbox.limits()));
            run = current;
        }
        current.events().add(event, anchorMs);
    }

    /** Sends the records that have been collected. */
    void close() {
        Run last = run;
        if (last != null) {
            IdRun events = last.events();
            outbox.audit(AuditRecord.ofRestore(
                    auditIdPrefix + "-" + records++,
                    origin,
                    last.undoes(),
                    last.stream(),
                    events.ids(),
                    events.bytes(),
                    events.oldestMs(),
                    events.newestMs(),
                    last.atMs()));
            run = null;
        }
    }
}
