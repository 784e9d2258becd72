package dev.ebb.topology;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventRules;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.source.SourcePlace;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.EventStore;
import dev.ebb.store.arrival.Arrival;
import dev.ebb.store.arrival.ExecutionChange;
import dev.ebb.store.arrival.WaitingEnds.Fate;
import dev.ebb.store.events.Found;
import dev.ebb.store.events.Removed;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.observe.RetentionObserver.LateRecord;
import dev.ebb.topology.parts.PartitionParts;
import dev.ebb.topology.removal.MirrorRow;
import dev.ebb.topology.removal.Outbox;
import dev.ebb.topology.removal.Removals;
import dev.ebb.topology.source.SourceGone;
import dev.ebb.topology.source.SourceLedger;
import dev.ebb.topology.source.SourceMark;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.ErrandBodies.LogHeld;
import dev.ebb.topology.wire.RecordLimits;
import dev.ebb.topology.work.StreamRefusals;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ingest of records of the events topic, one at a time: reads the record, sends it on if it came to the wrong place,
 * rejects it if it cannot be used, or else changes the store and mirrors the change. Everything is checked before the
 * first write. Not thread-safe.
 */
final class Ingest {

    private static final String TOO_LATE =
            "it was produced before a command deleted its stream; to keep it, use 'ebb rejected replay', which sends"
                    + " it as if it were new";

    private final RecordLimits limits;
    private final RecordReader reader;
    private final PartitionParts here;
    private final EventStore store;
    private final Outbox outbox;
    private final RetentionObserver observer;
    private final Supplier<PolicySet> policies;
    private final Runnable writing;
    private final Admission admission;
    private final SourceLedger ledger;

    /**
     * @param policies supplies the newest policies, by which streams are arranged
     * @param ledger knows which records of logs must stay
     * @param writing run before the first effect of a record
     */
    Ingest(
            SharedParts shared,
            PartitionParts here,
            Supplier<PolicySet> policies,
            SourceLedger ledger,
            Runnable writing) {
        this.limits = shared.settings().limits();
        this.reader = shared.parts().reader();
        this.here = here;
        this.store = here.store();
        this.outbox = here.outbox();
        this.observer = here.observer();
        this.policies = policies;
        this.writing = writing;
        this.ledger = ledger;
        this.admission = new Admission(shared, here, ledger, writing);
    }

    /** Takes the record in; returns the reason to wait if the record cannot be taken in yet, else null. */
    @Nullable
    Wait take(InputRecord record, long nowMs) {
        SourceMark mark = SourceMark.of(record);
        if (mark != null) {
            take(mark, nowMs);
            return null;
        }
        SourceGone gone = SourceGone.of(record);
        if (gone != null) {
            takeGone(record, gone, nowMs);
            return null;
        }
        if (admission.turnsAway(record)) {
            return null;
        }
        Decoded decoded = reader.read(EbbHeaders.origin(record), record.headers(), record.value());
        if (decoded instanceof Decoded.OfEvent event) {
            return takeEvent(record, event.event(), nowMs);
        }
        if (decoded instanceof Decoded.OfUpdate update) {
            return takeUpdate(record, update.update(), nowMs);
        }
        if (decoded instanceof Decoded.OfExecution execution) {
            takeExecution(record, execution.update(), nowMs);
        } else if (decoded instanceof Decoded.Bad bad) {
            admission.reject(record, bad.rejection());
        }
        return decoded instanceof Decoded.Pending pending ? pending.waitsFor() : null;
    }

    private void take(SourceMark mark, long nowMs) {
        writing.run();
        if (mark.step() == SourceMark.Step.ASK) {
            String body = JsonState.write(new LogHeld(mark.source(), ledger.answer(mark)));
            here.outbox().assessment(new Errand(mark.id(), Errand.Step.LOG_HELD, here.partition(), body), nowMs);
        } else {
            ledger.take(mark);
        }
    }

    /** Removes an event that its source has removed: one of that source, and not a newer version of it (F-4). */
    private void takeGone(InputRecord record, SourceGone gone, long nowMs) {
        if (admission.turnsAway(record, gone.stream(), null)) {
            return;
        }
        StreamState stream = store.stream(gone.stream());
        Found found = stream == null ? null : store.find(stream, gone.id());
        SourcePlace stored =
                found == null ? null : SourcePlace.of(store.read(found).event());
        if (stream == null
                || found == null
                || stored == null
                || !stored.isOfRow(gone.place())
                || !stored.isUpTo(gone.place())) {
            return;
        }
        PolicySet inForce = policies.get();
        if (inForce.isHeld(gone.stream())) {
            String heldBy = StreamRefusals.heldBy(gone.stream(), inForce);
            admission.reject(record, new Rejection(RejectReason.HELD, "the event that it would remove is " + heldBy));
            return;
        }
        writing.run();
        String auditId = "gone-" + record.topic() + "-" + record.partition() + "-" + record.offset();
        Removals removals = new Removals(outbox, observer, Origin.ofPerson("", gone.reason()), auditId);
        store.remove(found, RemovalCause.SOURCE_DELETED, removed -> {
            removals.removed(removed, stream.policy(), inForce.version(), nowMs);
            removals.close();
        });
        here.schedule().touch(stream);
    }

    private @Nullable Wait takeEvent(InputRecord record, Event event, long nowMs) {
        if (admission.turnsAway(record, event.stream(), EventRules.problem(event, record.timestampMs(), nowMs))) {
            return null;
        }
        if (admission.isLate(record, event.stream(), LateRecord.EVENT, nowMs)) {
            noteLate(event);
            admission.reject(record, new Rejection(RejectReason.STREAM_DELETED, TOO_LATE));
            return null;
        }
        Arrival arrival = store.prepare(event, record.timestampMs(), nowMs, policies.get());
        Rejection held = held(arrival);
        if (held != null) {
            admission.reject(record, held);
            return null;
        }
        if (mustWait(arrival, event.stream())) {
            return rearrangement(event.stream());
        }
        if (put(record, arrival, nowMs)) {
            observer.ingested(event.stream(), arrival.isNew(), Math.max(0, nowMs - record.timestampMs()));
            countRefusedTtl(event.stream(), event.ttl(), arrival.policy());
        }
        return null;
    }

    /**
     * Returns true if the record must wait. A record of a quarantined stream need not: the stream is not rearranged,
     * and its repair would have to wait too.
     */
    private boolean mustWait(Arrival arrival, StreamName name) {
        StreamState stream = store.stream(name);
        return arrival.isUndecided() && (stream == null || stream.quarantine() == null);
    }

    /** Returns the wait for a rearrangement: the last events of a stream are known when all are in the new order. */
    private static Wait rearrangement(StreamName stream) {
        return Wait.ofStream("the rearrangement of " + stream);
    }

    private @Nullable Wait takeUpdate(InputRecord record, EventUpdate update, long nowMs) {
        if (admission.turnsAway(record, update.stream(), EventRules.problem(update, record.timestampMs(), nowMs))) {
            return null;
        }
        if (admission.isLate(record, update.stream(), LateRecord.UPDATE, nowMs)) {
            observer.orphaned(update.stream());
            return null;
        }
        Optional<Arrival> arrival = store.prepare(update, record.timestampMs(), nowMs, policies.get());
        if (arrival.isEmpty()) {
            observer.orphaned(update.stream());
        } else if (mustWait(arrival.get(), update.stream())) {
            return rearrangement(update.stream());
        } else if (put(record, arrival.get(), nowMs)) {
            observer.updated(update.stream());
            countRefusedTtl(update.stream(), update.ttl(), arrival.get().policy());
        }
        return null;
    }

    private void takeExecution(InputRecord record, ExecutionUpdate update, long nowMs) {
        // All that an execution names is small, so its row always fits.
        if (admission.turnsAway(record, update.stream(), EventRules.problem(update, record.timestampMs(), nowMs))) {
            return;
        }
        if (admission.isLate(record, update.stream(), LateRecord.EXECUTION, nowMs)) {
            writing.run();
            store.ends().noteLate(update);
            return;
        }
        Fate fate = store.ends().fate(update, record.timestampMs(), nowMs);
        if (fate == Fate.PASSED_OVER) {
            observer.late(update.stream(), LateRecord.EXECUTION);
            return;
        }
        writing.run();
        if (fate == Fate.WAITS) {
            store.await(update, record.timestampMs());
            return;
        }
        ExecutionChange change = store.apply(update, record.timestampMs(), nowMs, policies.get());
        here.schedule().touch(change.stream());
        outbox.mirrorExecution(update.stream(), change, record.timestampMs());
        observer.updated(update.stream());
        store.ends().takeDropped().forEach(stream -> observer.late(stream, LateRecord.EXECUTION));
    }

    /** Notes that a worker may still be at an execution of the deleted stream. */
    private void noteLate(Event event) {
        if (event.execution() > 0) {
            writing.run();
            store.ends().noteLate(event.stream(), event.execution(), false);
        }
    }

    /**
     * Returns the rejection of an event that would replace a held one, else null. A held event may be updated, but
     * nothing may take its place (M-18).
     */
    private @Nullable Rejection held(Arrival arrival) {
        StreamName stream = arrival.event().event().stream();
        PolicySet inForce = policies.get();
        if (arrival.isNew() || !inForce.isHeld(stream)) {
            return null;
        }
        String heldBy = StreamRefusals.heldBy(stream, inForce);
        return new Rejection(RejectReason.HELD, "the event that it would replace is " + heldBy);
    }

    /** Writes and mirrors the prepared event; returns false if its row is too big. */
    private boolean put(InputRecord record, Arrival arrival, long nowMs) {
        MirrorRow row = outbox.row(arrival.event());
        Rejection tooBig = limits.problemOfEvent("the row of its event in the SQL mirror", row.sizeBytes());
        if (tooBig != null) {
            admission.reject(record, tooBig);
            return false;
        }
        writing.run();
        StreamState stream = store.put(arrival, policies.get());
        here.schedule().touch(stream);
        if (arrival.displaced() != null) {
            explainDisplaced(record, arrival, arrival.displaced(), nowMs);
        }
        outbox.mirror(stream, row, record.timestampMs());
        end(record, stream, arrival.event().event().execution(), nowMs);
        return true;
    }

    /** Lets the end of the event's execution take effect if it came before the event (O-10). */
    private void end(InputRecord record, StreamState stream, long execution, long nowMs) {
        ExecutionChange ended = store.end(stream, execution, nowMs, policies.get());
        if (ended != null) {
            here.schedule().touch(stream);
            outbox.mirrorExecution(stream.stream(), ended, record.timestampMs());
            observer.updated(stream.stream());
        }
    }

    /** Explains a replaced event. If it was due when the new one came, it went by its own cause, as if swept (M-1). */
    private void explainDisplaced(InputRecord record, Arrival arrival, Removed displaced, long nowMs) {
        String auditId = "replaced-" + record.topic() + "-" + record.partition() + "-" + record.offset();
        Removals removals = new Removals(outbox, observer, Origin.REPLACEMENT, auditId);
        removals.removed(displaced, arrival.policy(), policies.get().version(), nowMs);
        removals.close();
    }

    private void countRefusedTtl(StreamName stream, @Nullable OwnTtl ttl, EffectivePolicy policy) {
        if (ttl != null && ttl.noExpiration() && !policy.allowInfiniteTtl().value()) {
            observer.ttlRefused(stream);
        }
    }
}
