package dev.ebb.topology.parking;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.parking.ParkedRecords;
import dev.ebb.store.parking.ParkedStream;
import dev.ebb.store.parking.ParkingLimits;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Parking of records until they can be taken in (O-20): a record that cannot be taken in yet waits for one thing, later
 * records of its stream wait behind it, and all others go on. Streams that wait for the same thing are asked about once
 * and taken up together; the records of each stream are taken in their order of arrival. Each record and each slice
 * does a bounded amount of this work. Not thread-safe.
 */
public final class Parking {

    /** Number of waiting records that are taken up for each incoming one, so that fewer wait while records come in. */
    private static final int TAKEN_PER_RECORD = 4;

    /** Number of groups, besides its own, that are looked at for each incoming record. */
    private static final int LOOKS_PER_RECORD = 1;

    private static final int LOOKS_PER_SLICE = 1000;

    /** Number of records in a row after which a stream lets the next one go first. */
    private static final int RECORDS_IN_A_ROW = 64;

    /** The task that takes the records in. */
    public interface Task {

        /** Returns true if anything can be taken in; until then all records wait for {@link Wait#POLICIES}. */
        boolean mayTakeIn();

        /** Takes the record in; returns the reason to wait if the record cannot be taken in yet, else null. */
        @Nullable
        Wait take(InputRecord record, long nowMs);

        /** Returns true if the record counts against the limits. */
        boolean isBounded(InputRecord record);

        void reject(InputRecord record, Rejection rejection);

        /** Notes that the record was dropped by hand; the sender of a command is informed. */
        void drop(InputRecord record, Rejection rejection, long nowMs);

        /** Reports that a waiting record is missing or damaged in the store; {@code which} names it for people. */
        void lost(String which);

        /** Notes that records with that Kafka key have begun to wait, or no longer wait. */
        void changed(byte @Nullable [] key);
    }

    private static final ParkingLimits NO_LIMITS = new ParkingLimits(Long.MAX_VALUE, Long.MAX_VALUE);

    private final ParkedRecords parked;
    private final ParkingLimits limits;
    private final Task task;
    private final WaitGroups groups;
    private int inARow;

    public Parking(ParkedRecords parked, ParkingLimits limits, RecordReader reader, Task task) {
        this.parked = parked;
        this.limits = limits;
        this.task = task;
        this.groups = new WaitGroups(parked, reader);
    }

    /** Returns the streams that wait, by the thing that they wait for. */
    public WaitGroups groups() {
        return groups;
    }

    /** Takes the record in, or parks it if the record or an earlier one of its stream must wait. */
    public void process(InputRecord record, long nowMs) {
        boolean mayTakeIn = task.mayTakeIn();
        if (mayTakeIn && parked.size() > 0) {
            drainFor(record, nowMs);
        }
        if (!mayTakeIn) {
            park(record, Wait.POLICIES, nowMs);
        } else if (parked.holds(record.key())) {
            park(record, Wait.TURN, nowMs);
        } else {
            Wait waitsFor = task.take(record, nowMs);
            if (waitsFor != null) {
                park(record, waitsFor, nowMs);
            }
        }
    }

    /** Takes up records that no longer wait, as far as the budget goes. */
    public void slice(long nowMs, SweepBudget budget) {
        if (parked.size() > 0 && task.mayTakeIn()) {
            takeUp(nowMs, budget);
        }
    }

    /** Takes up ready records first: the looks at other groups may use up the slice each time. */
    private void takeUp(long nowMs, SweepBudget budget) {
        takeReady(nowMs, budget);
        for (int looks = Math.min(groups.round(), LOOKS_PER_SLICE); looks > 0 && !budget.isSpent(); looks--) {
            groups.lookAtNext(nowMs);
            budget.spendStep();
        }
        takeReady(nowMs, budget);
    }

    private void takeReady(long nowMs, SweepBudget budget) {
        while (!budget.isSpent() && takeNext(nowMs)) {
            budget.spendStep();
        }
    }

    /** Returns true if there is more to take up at once. */
    public boolean isBusy() {
        return parked.size() > 0 && groups.isAnyReady() && task.mayTakeIn();
    }

    /** Sends the first record of the stream to the rejected topic; the next one then has its turn. */
    public void dropFirst(ParkedStream stream, Rejection rejection, long nowMs) {
        InputRecord record = parked.first(stream);
        if (record == null) {
            passOver(stream);
            return;
        }
        task.drop(record, rejection, nowMs);
        groups.removeFirst(stream);
        if (stream.records() == 0) {
            groups.leave(stream);
            task.changed(record.key());
        } else {
            groups.waitForTurn(stream);
        }
    }

    /** Takes the first record of the stream if its turn has come; returns true if the next one may follow. */
    public boolean takeFirst(ParkedStream stream, long nowMs) {
        boolean isItsTurn = stream.records() > 0 && stream.waitsFor().kind() == Wait.Kind.TURN;
        return isItsTurn && task.mayTakeIn() && take(stream, nowMs);
    }

    private void drainFor(InputRecord record, long nowMs) {
        ParkedStream stream = parked.find(record.key());
        if (stream != null) {
            groups.look(groups.of(stream), nowMs);
        }
        for (int looks = Math.min(groups.round(), LOOKS_PER_RECORD); looks > 0; looks--) {
            groups.lookAtNext(nowMs);
        }
        for (int i = 0; i < TAKEN_PER_RECORD && takeNext(nowMs); i++) {}
    }

    private void park(InputRecord record, Wait wait, long nowMs) {
        ParkedStream stream = parked.park(record, wait, nowMs, task.isBounded(record) ? limits : NO_LIMITS);
        if (stream == null) {
            task.reject(record, new Rejection(RejectReason.PARKED_FULL, fullBecause(record, wait)));
            return;
        }
        groups.added(stream);
        if (stream.records() == 1) {
            task.changed(record.key());
        }
    }

    private String fullBecause(InputRecord record, Wait wait) {
        ParkedStream before = parked.find(record.key());
        Wait first = before == null ? wait : groups.of(before).waitsFor();
        return "it would have to wait for " + first.text() + ", but " + parked.size() + " records (" + parked.bytes()
                + " bytes) are already waiting, which is all that parked.max.records and parked.max.bytes allow";
    }

    /** Takes one record up; returns false if none is ready. */
    private boolean takeNext(long nowMs) {
        ParkedStream next = groups.nextReady();
        if (next == null) {
            return false;
        }
        if (!take(next, nowMs)) {
            inARow = 0;
        }
        return true;
    }

    /** Takes the first record of the stream; returns true if the next one may follow. */
    private boolean take(ParkedStream stream, long nowMs) {
        InputRecord record = parked.first(stream);
        if (record == null) {
            passOver(stream);
            return true;
        }
        Wait waitsFor = task.take(record, nowMs);
        if (waitsFor == null) {
            taken(stream, record.key());
        } else {
            groups.stillWaits(stream, waitsFor, nowMs);
        }
        return waitsFor == null;
    }

    /** Skips a record that is missing or damaged in the store: those behind it must not wait for ever. */
    private void passOver(ParkedStream stream) {
        task.lost("the first record of '" + stream.key() + "' that waits");
        inARow = 0;
        taken(stream, stream.key().getBytes(StandardCharsets.UTF_8));
    }

    private void taken(ParkedStream stream, byte @Nullable [] key) {
        groups.removeFirst(stream);
        WaitGroup group = groups.of(stream);
        group.succeeded();
        if (stream.records() == 0) {
            inARow = 0;
            groups.leave(stream);
            task.changed(key);
        } else if (group.waitsFor().kind() != Wait.Kind.TURN) {
            groups.waitForTurn(stream);
        } else if (++inARow >= RECORDS_IN_A_ROW) {
            inARow = 0;
            groups.putLast(stream);
        }
    }
}
