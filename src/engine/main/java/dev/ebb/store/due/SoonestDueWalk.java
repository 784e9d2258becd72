package dev.ebb.store.due;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.DueMark;
import dev.ebb.store.due.DueWalk.Entry;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Offers the events of one stream that age and own TTLs take. Each execution has two sources that are sorted by time.
 * Each source is read from the mark on, as long as its next events may still be wanted. Used once.
 */
public final class SoonestDueWalk {

    private final ReadOnlyKeyValueStore<Bytes, byte[]> events;
    private final StreamState stream;
    private final DueFilter filter;
    private final SoonestDue soonest;

    public SoonestDueWalk(
            ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamState stream, DueFilter filter, SoonestDue soonest) {
        this.events = events;
        this.stream = stream;
        this.filter = filter;
        this.soonest = soonest;
    }

    public void walk() {
        for (Segment segment : stream.segments()) {
            if (!soonest.look()) {
                return;
            }
            if (DueWalk.mayHaveDue(segment, filter.policy(), soonest.lastWantedMs(filter.untilMs()))) {
                walk(segment);
            }
        }
    }

    private void walk(Segment segment) {
        DueMark tie = tieIn(segment);
        long fromMs = fromMs(segment);
        Position head =
                segment.count(Range.ORDERED) == 0 ? null : segment.heads().of(Range.ORDERED);
        if (head != null) {
            Position start = afterTie(DueWalk.later(head, segment, filter.policy(), fromMs), segment, tie);
            read(segment, Range.ORDERED, EventKeys.positional(Range.ORDERED, stream.sid(), start));
        }
        if (segment.count(Range.TIMED) > 0) {
            read(segment, Range.DUE, timedStart(segment, fromMs, tie));
        }
    }

    /**
     * Returns the mark if it lies in this execution, where events of its millisecond may lie on both sides of it; else
     * null. At the end of a notice, events of many due times go in one millisecond, and all of them are read again.
     */
    private @Nullable DueMark tieIn(Segment segment) {
        DueMark after = soonest.after();
        return after != null
                        && after.lastMs() > stream.noticeUntilMs()
                        && after.stream().equals(name())
                        && after.execution() == segment.number()
                ? after
                : null;
    }

    /** Returns the earliest last millisecond that can lie after the mark in this execution. */
    private long fromMs(Segment segment) {
        DueMark after = soonest.after();
        if (after == null || after.lastMs() <= stream.noticeUntilMs()) {
            return filter.firstKeyMs();
        }
        int byStream = name().compareTo(after.stream());
        boolean isBefore = byStream < 0 || (byStream == 0 && segment.number() < after.execution());
        return Math.max(filter.firstKeyMs(), isBefore ? after.lastMs() + 1 : after.lastMs());
    }

    private Position afterTie(Position start, Segment segment, @Nullable DueMark tie) {
        Position behind = tie == null ? start : new Position(segment.number(), tie.anchorMs(), tie.seq() + 1);
        boolean isOfSameTime = tie != null && DueWalk.lastMs(segment, behind, filter.policy()) == tie.lastMs();
        return isOfSameTime && behind.compareTo(start) > 0 ? behind : start;
    }

    /**
     * Returns the first deadline key to read. In an execution above 0, a deadline in a key may be earlier than the true
     * one, so none may be left out.
     */
    private Bytes timedStart(Segment segment, long fromMs, @Nullable DueMark tie) {
        long headMs = segment.heads().dueMs();
        if (segment.number() > 0 || headMs > fromMs) {
            return EventKeys.dueFrom(stream.sid(), segment.number(), headMs);
        }
        return tie == null || tie.lastMs() < fromMs
                ? EventKeys.dueFrom(stream.sid(), 0, fromMs)
                : EventKeys.due(stream.sid(), fromMs, new Position(0, tie.anchorMs(), tie.seq() + 1));
    }

    private void read(Segment segment, Range range, Bytes from) {
        try (DueSource source = new DueSource(events, stream.sid(), segment, range, from, filter)) {
            for (Entry next = source.peek(); next != null && isWanted(segment, next); next = source.peek()) {
                DueEvent due = next.value() == null ? null : filter.of(next.value());
                if (due != null) {
                    soonest.offer(
                            mark(segment, due.lastMs(), next.position()),
                            due.event().id());
                }
                source.take();
            }
        }
    }

    /** Returns true if the entry, or one after it, may be wanted: no event goes before the time in its key. */
    private boolean isWanted(Segment segment, Entry entry) {
        return soonest.look() && soonest.mayWant(mark(segment, entry.lastMs(), entry.position()));
    }

    private DueMark mark(Segment segment, long lastMs, Position position) {
        return new DueMark(lastMs, name(), segment.number(), position.anchorMs(), position.seq());
    }

    private StreamName name() {
        return stream.stream();
    }
}
