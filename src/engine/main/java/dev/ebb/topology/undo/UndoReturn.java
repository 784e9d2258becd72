package dev.ebb.topology.undo;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.store.arrival.ExecutionChange;
import dev.ebb.store.events.RemovedExecution;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.parts.PartitionParts;
import dev.ebb.topology.removal.MirrorRow;
import dev.ebb.topology.trash.Forged;
import dev.ebb.topology.trash.SetTtls;
import dev.ebb.topology.trash.TrashSince;
import dev.ebb.topology.trash.TrashSource;
import dev.ebb.topology.trash.Trashed;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Pass that brings back the records that an undo means in one partition: each event in one transaction with its row,
 * its audit record and its removal from the trash (T-2). Its stream stands under a notice from then on (T-3). A hold
 * keeps nothing away: it forbids deletes. Not thread-safe.
 */
final class UndoReturn implements UndoPass {

    private final PartitionParts here;
    private final Supplier<PolicySet> policies;
    private final TrashSource.Reading reading;
    private final TrashedEvents events;
    private final TrashedExecutions executions;
    private final TrashSince since;
    private final Origin origin;
    private final long pointMs;
    private final long noticeMs;
    private final UndoTally tally;
    private @Nullable RestoreTrail trail;

    /**
     * @param policies the newest policies in force
     * @param since the changes of the trash since before the reading began
     * @param origin the undo, its actor and reason
     * @param pointMs the time at which the undo began: events whose deletes could be undone only until then stay away,
     *     epoch milliseconds
     * @param noticeMs the duration of the notice, in milliseconds
     */
    public UndoReturn(
            PartitionParts here,
            Supplier<PolicySet> policies,
            TrashSource.Reading reading,
            TrashSince since,
            Origin origin,
            long pointMs,
            long noticeMs,
            UndoTally tally) {
        this.here = here;
        this.policies = policies;
        this.reading = reading;
        this.events = new TrashedEvents(reading);
        this.executions = new TrashedExecutions(reading, pointMs);
        this.since = since;
        this.origin = origin;
        this.pointMs = pointMs;
        this.noticeMs = noticeMs;
        this.tally = tally;
    }

    @Override
    public @Nullable String problem() {
        return reading.problem();
    }

    @Override
    public boolean slice(long nowMs, SweepBudget budget) {
        if (!executions.gather(budget)) {
            return false;
        }
        try {
            return bring(nowMs, budget);
        } finally {
            // Events that came back before a failure are explained as well, unless the store is torn, which undoes all
            // of them.
            if (!here.store().isTorn()) {
                endSlice();
            }
        }
    }

    private boolean bring(long nowMs, SweepBudget budget) {
        for (Trashed event = events.next(budget); event != null; event = events.next(budget)) {
            budget.spendDelete();
            bring(event, nowMs);
        }
        boolean isDone = events.isDone() && bringEmptyExecutions(nowMs, budget);
        if (isDone) {
            tellFindings();
        }
        return isDone;
    }

    private void tellFindings() {
        here.outbox().trash().book().found(reading.found());
        tally.missing(reading.found());
        Forged forged = reading.forged();
        tally.forged(forged);
        if (forged.records() > 0) {
            here.observer().trashForged(here.partition(), forged.records());
        }
    }

    private void bring(Trashed trashed, long nowMs) {
        if (since.isTakenOut(trashed.offset())) {
            return;
        }
        StreamName name = trashed.stream();
        StreamState stream = here.store().stream(name);
        NotReturned reason = stream == null
                ? tried(null, trashed, nowMs)
                : here.guard()
                        .call(stream, nowMs, () -> Tried.of(tried(stream, trashed, nowMs)), failure -> Tried.FAILED)
                        .reason();
        if (reason != null) {
            tally.left(name, trashed.key().id(), reason);
        }
    }

    /** Result of an attempt that may fail. */
    private record Tried(@Nullable NotReturned reason) {

        static final Tried FAILED = new Tried(NotReturned.NOT_READY);

        static Tried of(@Nullable NotReturned reason) {
            return new Tried(reason);
        }
    }

    /** Brings the event back; returns the reason if the event stays away. */
    private @Nullable NotReturned tried(@Nullable StreamState stream, Trashed trashed, long nowMs) {
        NotReturned rule = ReturnRules.reason(here.store(), stream, trashed, pointMs);
        if (rule != null) {
            return rule;
        }
        StoredEvent deleted;
        try {
            deleted = here.store().asReturned(StoredEventCodec.decode(trashed.stream(), trashed.value()));
        } catch (RuntimeException e) {
            return NotReturned.UNREADABLE;
        }
        if (!here.outbox().mayReturn(deleted)) {
            return NotReturned.NOT_READY;
        }
        MirrorRow row = here.outbox().row(deleted);
        if (here.outbox().limits().problemOfEvent("the row", row.sizeBytes()) != null) {
            return NotReturned.NOT_READY;
        }
        EventHeader header = EventHeader.of(deleted, deleted.sizeBytes());
        Trashed execution = executions.use(trashed.stream(), header.execution());
        if (execution != null && since.isTakenOut(execution.offset())) {
            // Another undo has brought it back meanwhile, and it may have gone for good since.
            execution = execution.withoutRecord();
        }
        if (execution != null) {
            bringExecution(since.newest(execution), nowMs);
        }
        put(trashed, deleted, header, row, nowMs);
        return null;
    }

    private void put(Trashed trashed, StoredEvent deleted, EventHeader header, MirrorRow row, long nowMs) {
        PolicySet inForce = policies.get();
        here.store().ends().lift(trashed.stream(), trashed.deletion().commandId());
        countStream(trashed.stream());
        long untilMs = noticeUntilMs(nowMs);
        StreamState stream = here.store().putBack(deleted, untilMs, nowMs, inForce, back -> {
            here.outbox().mirror(back, row, nowMs);
            here.outbox().returnRow(deleted, origin, nowMs);
            takeOut(trashed, nowMs);
            here.outbox().trash().book().takeOff(trashed.stream(), trashed.deletion(), header.sizeBytes());
            if (deleted.ttl().isByCommand()) {
                new SetTtls(here.store()).note(trashed.stream());
            }
            long anchorMs =
                    header.anchorMs(inForce.effective(trashed.stream()).anchor().value());
            trail().add(trashed.stream(), trashed.deletion().author(), header, anchorMs, nowMs);
        });
        ExecutionChange ended = here.store().end(stream, header.execution(), nowMs, inForce);
        if (ended != null) {
            here.outbox().mirrorExecution(trashed.stream(), ended, nowMs);
        }
        here.schedule().touch(stream);
        here.observer().returned(trashed.stream(), header.sizeBytes());
        tally.event(header.sizeBytes());
        EventFacts facts =
                Objects.requireNonNull(stream.segment(header.execution())).facts(header);
        tally.dueAgain().event(trashed.stream(), facts, inForce, stream.totalEvents(), stream.totalBytes(), untilMs);
    }

    /** Returns the last millisecond of the notice of what comes back now, also if the clocks of two instances differ. */
    private long noticeUntilMs(long nowMs) {
        return Math.max(nowMs, pointMs) + noticeMs;
    }

    /** Counts the stream, unless its notice shows that this undo came to it before a crash. */
    private void countStream(StreamName name) {
        StreamState stream = here.store().stream(name);
        if (stream != null && stream.noticeUntilMs() >= pointMs + noticeMs) {
            tally.knownStream(name);
        } else {
            tally.stream(name);
        }
    }

    private void takeOut(Trashed trashed, long nowMs) {
        since.without(() -> here.outbox().trash().takeOut(trashed, origin.commandId(), nowMs));
    }

    /** Declares an execution as it was, unless it is declared by now. */
    private void bringExecution(Trashed trashed, long nowMs) {
        StreamName name = trashed.stream();
        StreamState stream = here.store().stream(name);
        // Asked for each event: the bytes are read only if they are needed.
        RemovedExecution kept = ReturnRules.isDeclaredAgain(stream, trashed) ? TrashedExecutions.read(trashed) : null;
        if (kept == null) {
            return;
        }
        Execution execution = kept.execution();
        StreamName parent = stream == null || stream.parent() == null ? kept.parent() : null;
        ExecutionUpdate update = new ExecutionUpdate(
                name, execution.number(), execution.status(), parent, execution.startedAt(), execution.completedAt());
        here.store().ends().lift(name, trashed.deletion().commandId());
        countStream(name);
        long untilMs = noticeUntilMs(nowMs);
        // It may have gone again since its first event came back; its record is then out of the trash already.
        boolean isFirst = executions.returns(trashed);
        here.store().putBack(update, kept.openSinceMs(), untilMs, nowMs, policies.get(), change -> {
            here.outbox().mirrorExecution(name, change, nowMs);
            if (isFirst && !trashed.isCarried()) {
                takeOut(trashed, nowMs);
            }
            if (isFirst && (!trashed.isCarried() || executions.isLost(trashed))) {
                here.outbox().trash().book().takeOffExecution(name, trashed.deletion());
            }
            here.schedule().touch(change.stream());
        });
        if (isFirst) {
            tally.execution(executions.isLost(trashed));
            tally.dueAgain().execution(untilMs);
        }
    }

    /** Brings back executions without a returned event. */
    private boolean bringEmptyExecutions(long nowMs, SweepBudget budget) {
        while (!budget.isSpent()) {
            Trashed next = executions.next();
            if (next == null) {
                return true;
            }
            budget.spendDelete();
            if (!since.isTakenOut(next.offset())) {
                bringExecution(next, nowMs);
            }
        }
        return false;
    }

    private RestoreTrail trail() {
        RestoreTrail current = trail;
        if (current == null) {
            String auditId = origin.commandId() + "-" + here.partition() + "-"
                    + here.store().nextAuditNumber();
            current = new RestoreTrail(here.outbox(), origin, auditId);
            trail = current;
        }
        return current;
    }

    /** Sends the audit records: nothing may come back that no audit record explains. */
    private void endSlice() {
        RestoreTrail current = trail;
        if (current != null) {
            here.store().send(current::close);
            trail = null;
        }
    }

    @Override
    public void close() {
        reading.close();
        since.close();
    }
}
