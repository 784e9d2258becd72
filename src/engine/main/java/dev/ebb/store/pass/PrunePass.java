package dev.ebb.store.pass;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.SegmentExtent;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Passage;
import dev.ebb.store.state.Passage.Outcome;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamPass;
import dev.ebb.store.state.StreamState;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The pass of one prune through a stream. Events from a certain arrival number on are newcomers: they neither go nor
 * count among the newest events that must stay. The pass lives in memory and begins again after a restart. Not
 * thread-safe.
 */
final class PrunePass implements StreamPass {

    private static final List<Range> ELIGIBLE = List.of(Range.ORDERED, Range.TIMED);
    private static final List<Range> UNPROTECTED = List.of(Range.ORDERED, Range.TIMED, Range.INFINITE);
    private static final long NOWHERE = -1;

    private final StreamState stream;
    private final long firstNewcomer;
    private Passage passage = Passage.sideBySide(ELIGIBLE);
    private List<Range> ranges = ELIGIBLE;
    private long execution = NOWHERE;

    /** The search for newcomers that arrived before this pass was attached; null once all are counted. */
    private @Nullable Passage search;

    private long newcomers;
    private long newcomersBehind;

    /** The pass that counts whether more of the execution would go than may; null if this is known or not needed. */
    private @Nullable Passage weighing;

    /** The number of further events until the execution is too heavy; negative if it is too heavy. */
    private long room;

    /** @param firstNewcomer the arrival number of the first event that came after the prune began */
    PrunePass(StreamState stream, long firstNewcomer) {
        this.stream = stream;
        this.firstNewcomer = firstNewcomer;
        this.search = newSearch();
    }

    private @Nullable Passage newSearch() {
        return stream.nextSeq() > firstNewcomer ? Passage.oneByOne(ELIGIBLE) : null;
    }

    /** Returns the stream of the pass. */
    StreamState stream() {
        return stream;
    }

    boolean isNewcomer(long seq) {
        return seq >= firstNewcomer;
    }

    @Override
    public void note(long number, EventHeader event, Location location, int sign) {
        if (number == 0 && ELIGIBLE.contains(location.range())) {
            noteNewcomer(event, location, sign);
        }
        if (number == execution) {
            passage.note(stream.sid(), location, event.id(), sign);
        }
        Passage open = weighing;
        if (open != null && number == execution) {
            open.note(stream.sid(), location, event.id(), sign);
        }
    }

    private void noteNewcomer(EventHeader event, Location location, int sign) {
        Passage searching = search;
        boolean isSeen = searching == null || searching.isBehind(stream.sid(), location, event.id());
        if (searching != null) {
            searching.note(stream.sid(), location, event.id(), sign);
        }
        if (!isNewcomer(event.seq())) {
            return;
        }
        newcomers += isSeen ? sign : 0;
        newcomersBehind += execution == 0 && passage.isBehind(stream.sid(), location, event.id()) ? sign : 0;
    }

    @Override
    public void rearranged() {
        search = newSearch();
        newcomers = 0;
        execution = NOWHERE;
    }

    /** Goes to the first eligible event of execution 0; returns false if the pass is already there or further. */
    boolean enterEvents() {
        return enter(0, ELIGIBLE);
    }

    /**
     * Goes to the first event of an execution without protected events; returns false if the pass is already there or
     * further.
     */
    boolean enterExecution(long number) {
        return enter(number, UNPROTECTED);
    }

    private boolean enter(long number, List<Range> newRanges) {
        if (execution == number && ranges.equals(newRanges)) {
            return false;
        }
        execution = number;
        ranges = newRanges;
        passage = Passage.sideBySide(newRanges);
        newcomersBehind = 0;
        weighing = null;
        room = 0;
        return true;
    }

    /** Begins to count whether more than {@code most} events of the entered execution would go. */
    void weigh(long most) {
        weighing = Passage.sideBySide(ranges);
        room = most;
    }

    /**
     * Continues the count, if one was begun; returns false if the budget ended the slice. Events that come meanwhile
     * may be missed.
     */
    boolean isWeighed(KeyValueStore<Bytes, byte[]> events, Segment segment, SweepBudget budget) {
        Passage open = weighing;
        if (open == null) {
            return true;
        }
        boolean isDone = open.slice(events, new SegmentExtent(segment), budget, (range, key, value) -> {
            room -= isNewcomer(EventKeys.positionOf(key).seq()) ? 0 : 1;
            budget.spendStep();
            return room < 0 ? Outcome.END : Outcome.STAYS;
        });
        weighing = isDone ? null : open;
        return isDone;
    }

    /** Returns true if more events of the execution would go than may. */
    boolean isTooHeavy() {
        return room < 0;
    }

    /** Counts the newcomers if necessary; returns false if the budget ended the slice. */
    boolean findNewcomers(KeyValueStore<Bytes, byte[]> events, SweepBudget budget) {
        Passage searching = search;
        if (searching == null) {
            return true;
        }
        boolean isDone = searching.slice(events, new SegmentExtent(stream.root()), budget, (range, key, value) -> {
            newcomers += isNewcomer(EventKeys.positionOf(key).seq()) ? 1 : 0;
            budget.spendStep();
            return Outcome.STAYS;
        });
        search = isDone ? null : searching;
        return isDone;
    }

    /** Returns the number of eligible events of execution 0 that are no newcomers and have not been passed. */
    long ahead() {
        long eligible = stream.root().eligibleEvents() - newcomers;
        return eligible - (passage.behind(Range.ORDERED) + passage.behind(Range.TIMED) - newcomersBehind);
    }

    /** Shows the events of the entered execution, see {@link Passage#slice}. */
    boolean slice(KeyValueStore<Bytes, byte[]> events, Segment segment, SweepBudget budget, Passage.Visitor visitor) {
        return passage.slice(events, new SegmentExtent(segment), budget, (range, key, value) -> {
            Outcome outcome = visitor.visit(range, key, value);
            boolean isLeft = outcome == Outcome.STAYS
                    && isNewcomer(EventKeys.positionOf(key).seq());
            newcomersBehind += isLeft ? 1 : 0;
            return outcome;
        });
    }
}
