package dev.ebb.topology.command;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.arrival.ExecutionChange;
import dev.ebb.store.events.Found;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkParts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Work that sends rows of the mirror again: a stored event or execution as it is now, any other as a tombstone.
 * Since the task itself looks and sends, each row comes after everything that the task sent before and ahead of
 * everything that it will send, so a change in the meantime is neither lost nor overtaken. Not thread-safe.
 */
final class RepairWork extends Work {

    static final Kind<State> KIND = new Kind<>("repair", State.class, RepairWork::new);

    /** Growth of an id in the audit: a control character takes almost twice as much as the id of an event may. */
    private static final int ID_GROWTH = 2;

    private static final int ID_OVERHEAD_BYTES = 2;

    private final Command.RepairMirror command;
    private int next;
    private long sent;
    private long removed;

    RepairWork(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request());
        this.command = (Command.RepairMirror) request.command();
        this.next = state.next();
        this.sent = state.sent();
        this.removed = state.removed();
    }

    /**
     * Progress of the work as it is saved.
     *
     * @param next the first row that is not done, executions after events
     * @param sent number of rows that were sent as they are
     * @param removed number of rows that were sent as tombstones
     */
    record State(CommandRequest request, int next, long sent, long removed) {

        static State of(CommandRequest request) {
            return new State(request, 0, 0, 0);
        }
    }

    @Override
    public Progress step(long nowMs, SweepBudget budget) {
        List<RowKey> rows = command.rows();
        List<Long> executions = command.executions();
        StreamState stream = context.store().stream(command.stream());
        for (; next < rows.size() + executions.size(); next++) {
            if (budget.isSpent()) {
                return Progress.MORE;
            }
            if (next < rows.size()) {
                repair(stream, rows.get(next), nowMs);
            } else {
                repair(stream, executions.get(next - rows.size()), nowMs);
            }
            budget.spendDelete();
        }
        finish(nowMs);
        return Progress.DONE;
    }

    /**
     * Repairs a row. If the event has another key, both rows are corrected: this one goes, the event gets its own. No
     * row stays of an event whose stream has none (F-13).
     */
    private void repair(@Nullable StreamState stream, RowKey row, long nowMs) {
        Found found = stream == null || !stream.hasRows() ? null : find(stream, row.eventId());
        if (found == null || !Instant.ofEpochMilli(found.event().storedAt()).equals(row.instant())) {
            removed++;
            if (!request.isDryRun()) {
                context.store().removeRow(command.stream(), row);
                context.outbox().mirrorDelete(command.stream(), row, reason(), nowMs);
            }
        }
        if (stream != null && found != null) {
            sent++;
            if (!request.isDryRun()) {
                context.store().repeat(found);
                context.outbox()
                        .mirror(stream, context.outbox().row(context.store().read(found)), nowMs);
            }
        }
    }

    /** Returns the event with that id; null if there is none, or no event may have such an id. */
    private @Nullable Found find(StreamState stream, String id) {
        return EventId.problem(id) == null ? context.store().find(stream, new EventId(id)) : null;
    }

    private void repair(@Nullable StreamState stream, long execution, long nowMs) {
        ExecutionChange declared = stream == null ? null : context.store().declared(stream, execution);
        if (declared == null) {
            removed++;
        } else {
            sent++;
        }
        if (request.isDryRun()) {
            return;
        }
        if (declared == null) {
            context.outbox().mirrorExecutionDelete(command.stream(), execution, nowMs);
        } else {
            context.outbox().mirrorExecution(command.stream(), declared, nowMs);
        }
    }

    private Headers reason() {
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.CAUSE, command.verb());
        EbbHeaders.set(headers, EbbHeaders.COMMAND_ID, request.commandId());
        return headers;
    }

    private void finish(long nowMs) {
        if (!request.isDryRun()) {
            audit(nowMs);
        }
        reply.done(request, new Outcome.Repaired(sent, removed), nowMs);
    }

    /** Writes as many audit records as necessary: the id of a row that was made by hand may be any text. */
    private void audit(long nowMs) {
        int most = context.outbox().limits().auditIdBytes() / ID_GROWTH;
        List<String> ids = new ArrayList<>();
        int bytes = 0;
        for (RowKey row : command.rows()) {
            int more = Utils.utf8Length(row.eventId()) + ID_OVERHEAD_BYTES;
            if (bytes + more > most && !ids.isEmpty()) {
                context.outbox().audit(audit(ids, nowMs));
                ids = new ArrayList<>();
                bytes = 0;
            }
            ids.add(row.eventId());
            bytes += more;
        }
        context.outbox().audit(audit(ids, nowMs));
    }

    private AuditRecord audit(List<String> ids, long nowMs) {
        String id = request.commandId() + "-" + context.partition() + "-"
                + context.store().nextAuditNumber();
        return AuditRecord.ofMirrorRepair(id, request.origin(), command.stream(), ids, nowMs);
    }

    @Override
    public void fail(String problem, long nowMs) {
        reply.refused(request, Refusal.FAILED, problem, new Outcome.Repaired(sent, removed), nowMs);
    }

    @Override
    public Object state() {
        return new State(request, next, sent, removed);
    }
}
