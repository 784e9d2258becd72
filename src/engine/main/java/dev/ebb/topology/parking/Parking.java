package dev.ebb.topology.parking;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.layout.ParkedStream;
import dev.ebb.store.parking.ParkedRecords;
import dev.ebb.store.parking.ParkingLimits;
import dev.ebb.topology.observe.TaskStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes records in, or has them wait (O-20): a record that cannot be taken in yet waits for one thing, later ones of
 * its stream wait behind it, and all others go on. Streams that wait for one thing are asked about once and taken up
 * together; the records of each stream are taken in their order of arrival. Each record and each slice does a bounded
 * amount of that work. Not thread-safe.
 */
public final class Parking {

    /** Waiting records that are taken up for each that comes, so that fewer wait while records come in. */
    private static final int TAKEN_PER_RECORD = 4;

    /** Groups that are looked at for each record that comes, beside its own. */
    private static final int LOOKS_PER_RECORD = 1;

    private static final int LOOKS_PER_SLICE = 1000;

    /** Records in a row after which a stream lets the next one go first. */
    private static final int RECORDS_IN_A_ROW = 64;

    /** The task that takes the records in. */
    public interface Task {

        /** Returns true if anything can be taken in; until then all records wait for {@link Wait#POLICIES}. */
        boolean mayTakeIn();

        /** Takes the record in; returns the reason to wait if that is not possible yet, else null. */
        @Nullable
        Wait take(InputRecord record, long nowMs);

        /** Returns true if the record counts against the limits. */
        boolean isBounded(InputRecord record);

        void reject(InputRecord record, Rejection rejection);

        /** Notes that the record was dropped by hand: its sender is told if it is a command. */
        void drop(InputRecord record, Rejection rejection, long nowMs);

        /** Tells that a waiting record is missing or damaged in the store; {@code which} names it for people. */
        void lost(String which);

        /** Notes that records of that Kafka key have begun to wait, or wait no more. */
        void changed(byte @Nullable [] key);
    }

    private static final ParkingLimits NO_LIMITS = new ParkingLimits(Long.MAX_VALUE, Long.MAX_VALUE);

    private final ParkedRecords parked;
    private final ParkingLimits limits;
    private final RecordReader reader;
    private final Task task;
    private final Map<String, WaitGroup> groups = new HashMap<>();
    private final Deque<WaitGroup> waiting = new ArrayDeque<>();
    private final Deque<WaitGroup> ready = new ArrayDeque<>();
    private int inARow;

    public Parking(ParkedRecords parked, ParkingLimits limits, RecordReader reader, Task task) {
        this.parked = parked;
        this.limits = limits;
        this.reader = reader;
        this.task = task;
        for (ParkedStream stream : parked.inOrder()) {
            join(stream, stream.waitsFor());
        }
        // Work on their streams may have ended before this task began.
        groups.values().stream()
                .filter(group -> group.waitsFor().kind() == Wait.Kind.STREAM)
                .forEach(this::wake);
    }

    /** Takes the record in, or parks it if it or an earlier one of its stream must wait. */
    public void process(InputRecord record, long nowMs) {
        for (int i = 0; i < TAKEN_PER_RECORD && parked.hasFormer(); i++) {
            moveFormer(nowMs);
        }
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

    /** Takes up records that wait no more, as far as the budget goes. */
    public void slice(long nowMs, SweepBudget budget) {
        while (parked.hasFormer() && !budget.isSpent()) {
            moveFormer(nowMs);
            budget.spendStep();
        }
        if (parked.size() > 0 && task.mayTakeIn()) {
            takeUp(nowMs, budget);
        }
    }

    /** Takes up ready records first: looks at the others may use up the slice, each time. */
    private void takeUp(long nowMs, SweepBudget budget) {
        takeReady(nowMs, budget);
        for (int looks = Math.min(waiting.size(), LOOKS_PER_SLICE); looks > 0 && !budget.isSpent(); looks--) {
            lookAtNext(nowMs);
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
        return parked.hasFormer() || (parked.size() > 0 && !ready.isEmpty() && task.mayTakeIn());
    }

    /** Tries again the records that wait for work on their streams, which may be done. */
    public void streamsGoOn() {
        List<WaitGroup> done = groups.values().stream()
                .filter(group -> group.waitsFor().kind() == Wait.Kind.STREAM)
                .toList();
        done.forEach(this::wake);
    }

    /** Things that the most records wait for, the most first; without records whose reason to wait is not known yet. */
    public List<TaskStatus.Parked> biggest(int most) {
        return groups.values().stream()
                .sorted(Comparator.comparingLong(WaitGroup::records).reversed())
                .limit(most)
                .map(group ->
                        new TaskStatus.Parked(group.waitsFor(), group.streams().size(), group.records()))
                .toList();
    }

    /** Streams that a command means, in the order in which they began to wait. */
    public List<ParkedStream> meantBy(Command.OfParked command) {
        StreamName name = command.stream();
        if (name != null) {
            ParkedStream stream = parked.find(name.value().getBytes(StandardCharsets.UTF_8));
            return stream != null && isMeant(stream, command) ? List.of(stream) : List.of();
        }
        if (command.schema() == null) {
            return parked.inOrder();
        }
        WaitGroup group = groups.get(Wait.SCHEMA + command.schema());
        return group == null ? List.of() : List.copyOf(group.streams());
    }

    /** Returns true if the command means the first record of the stream; false if none waits. */
    public boolean isMeant(ParkedStream stream, Command.OfParked command) {
        return stream.records() > 0
                && (command.schema() == null || stream.waitsFor().what().equals(Wait.SCHEMA + command.schema()));
    }

    /**
     * Coordinates of the first record of the stream: topic, partition and offset with slashes between them; empty if
     * the record is lost.
     */
    public String coordinatesOfFirst(ParkedStream stream) {
        InputRecord record = parked.first(stream);
        return record == null ? "" : record.topic() + "/" + record.partition() + "/" + record.offset();
    }

    /** Sends the first record of the stream to the rejected topic; the next one has its turn. */
    public void dropFirst(ParkedStream stream, Rejection rejection, long nowMs) {
        InputRecord record = parked.first(stream);
        if (record == null) {
            passOver(stream);
            return;
        }
        task.drop(record, rejection, nowMs);
        WaitGroup group = groupOf(stream);
        parked.removeFirst(stream);
        group.countRecords(-1);
        leave(group, stream);
        if (stream.records() == 0) {
            task.changed(record.key());
        } else {
            waitForTurn(stream);
        }
    }

    /** Has the next record of the stream tried soon; it need not wait for the same thing as the former one. */
    private void waitForTurn(ParkedStream stream) {
        parked.waitsFor(stream, Wait.TURN);
        join(stream, Wait.TURN);
        wake(groupOf(stream));
    }

    /** Takes the first record of the stream if its turn has come; returns whether the next one may follow. */
    public boolean takeFirst(ParkedStream stream, long nowMs) {
        if (stream.records() == 0 || stream.waitsFor().kind() != Wait.Kind.TURN || !task.mayTakeIn()) {
            return false;
        }
        return take(stream, nowMs);
    }

    /** Asks anew for the thing that the stream waits for; the stream is tried again at once. */
    public void retry(ParkedStream stream) {
        WaitGroup group = groupOf(stream);
        reader.askAgain(group.waitsFor());
        group.tryAtOnce();
        if (group.waitsFor().kind() == Wait.Kind.STREAM) {
            wake(group);
        }
    }

    private void drainFor(InputRecord record, long nowMs) {
        ParkedStream stream = parked.find(record.key());
        if (stream != null) {
            look(groupOf(stream), nowMs);
        }
        for (int looks = Math.min(waiting.size(), LOOKS_PER_RECORD); looks > 0; looks--) {
            lookAtNext(nowMs);
        }
        for (int i = 0; i < TAKEN_PER_RECORD && takeNext(nowMs); i++) {}
    }

    private void moveFormer(long nowMs) {
        ParkedStream stream = parked.moveFormer(nowMs);
        if (stream == null) {
            task.lost("a record that an older version has parked");
        } else {
            added(stream);
        }
    }

    private void park(InputRecord record, Wait wait, long nowMs) {
        if (parked.hasFormer()) {
            parked.parkBehindFormer(record);
            return;
        }
        ParkedStream stream = parked.park(record, wait, nowMs, task.isBounded(record) ? limits : NO_LIMITS);
        if (stream == null) {
            task.reject(record, new Rejection(RejectReason.PARKED_FULL, fullBecause(record, wait)));
            return;
        }
        added(stream);
        if (stream.records() == 1) {
            task.changed(record.key());
        }
    }

    private String fullBecause(InputRecord record, Wait wait) {
        ParkedStream before = parked.find(record.key());
        Wait first = before == null ? wait : groupOf(before).waitsFor();
        return "it would have to wait for " + first.text() + ", but " + parked.size() + " records (" + parked.bytes()
                + " bytes) are already waiting, which is all that parked.max.records and parked.max.bytes allow";
    }

    private void added(ParkedStream stream) {
        if (stream.records() == 1) {
            join(stream, stream.waitsFor());
        } else {
            groupOf(stream).countRecords(1);
        }
    }

    private WaitGroup groupOf(ParkedStream stream) {
        WaitGroup group = groups.get(stream.waitsFor().what());
        if (group == null) {
            throw new IllegalStateException(stream.key() + " waits for " + stream.waitsFor() + " in no group");
        }
        return group;
    }

    private void join(ParkedStream stream, Wait wait) {
        WaitGroup group = groups.get(wait.what());
        if (group == null) {
            group = new WaitGroup(wait);
            groups.put(wait.what(), group);
            waiting.add(group);
        }
        group.add(stream);
    }

    private void leave(WaitGroup group, ParkedStream stream) {
        group.remove(stream);
        forgetIfEmpty(group);
    }

    /** Forgets the group if it is empty; it is taken out of its queue when its turn comes there. */
    private void forgetIfEmpty(WaitGroup group) {
        if (group.isEmpty()) {
            groups.remove(group.waitsFor().what(), group);
        }
    }

    private void lookAtNext(long nowMs) {
        WaitGroup group = waiting.remove();
        if (group.isEmpty()) {
            return;
        }
        waiting.add(group);
        look(group, nowMs);
    }

    private void look(WaitGroup group, long nowMs) {
        if (group.isReady() || !group.isTried(nowMs) || group.waitsFor().kind() == Wait.Kind.STREAM) {
            return;
        }
        Wait now = isAboutSchema(group.waitsFor()) ? reader.stillWaits(group.waitsFor()) : null;
        if (now == null) {
            ready(group);
        } else {
            group.waitsFor(now);
        }
    }

    private static boolean isAboutSchema(Wait wait) {
        return wait.kind() != Wait.Kind.POLICIES && wait.kind() != Wait.Kind.TURN;
    }

    private void wake(WaitGroup group) {
        group.tryAtOnce();
        ready(group);
    }

    private void ready(WaitGroup group) {
        if (!group.isReady()) {
            group.ready();
            ready.add(group);
        }
    }

    /** Takes one record up; returns false if none is ready. */
    private boolean takeNext(long nowMs) {
        while (!ready.isEmpty() && ready.element().isEmpty()) {
            ready.remove();
        }
        if (ready.isEmpty()) {
            return false;
        }
        if (!take(ready.element().first(), nowMs)) {
            inARow = 0;
        }
        return true;
    }

    /** Takes the first record of the stream; returns whether the next one may follow. */
    private boolean take(ParkedStream stream, long nowMs) {
        InputRecord record = parked.first(stream);
        if (record == null) {
            passOver(stream);
            return true;
        }
        Wait waitsFor = task.take(record, nowMs);
        WaitGroup group = groupOf(stream);
        if (waitsFor == null) {
            taken(group, stream, record.key());
        } else {
            stillWaits(group, stream, waitsFor, nowMs);
        }
        return waitsFor == null;
    }

    /** Passes over a record that is missing or damaged in the store: those behind it must not wait for ever. */
    private void passOver(ParkedStream stream) {
        task.lost("the first record of '" + stream.key() + "' that waits");
        inARow = 0;
        taken(groupOf(stream), stream, stream.key().getBytes(StandardCharsets.UTF_8));
    }

    private void taken(WaitGroup group, ParkedStream stream, byte @Nullable [] key) {
        parked.removeFirst(stream);
        group.countRecords(-1);
        group.succeeded();
        if (stream.records() == 0) {
            inARow = 0;
            leave(group, stream);
            task.changed(key);
        } else if (group.waitsFor().kind() != Wait.Kind.TURN) {
            leave(group, stream);
            waitForTurn(stream);
        } else if (++inARow >= RECORDS_IN_A_ROW) {
            inARow = 0;
            group.putLast(stream);
            ready.remove(group);
            ready.add(group);
        }
    }

    private void stillWaits(WaitGroup group, ParkedStream stream, Wait waitsFor, long nowMs) {
        if (group.waitsFor().what().equals(waitsFor.what())) {
            ready.remove(group);
            group.waitsFor(waitsFor);
            group.failed(nowMs);
        } else {
            leave(group, stream);
            parked.waitsFor(stream, waitsFor);
            join(stream, waitsFor);
        }
    }
}
