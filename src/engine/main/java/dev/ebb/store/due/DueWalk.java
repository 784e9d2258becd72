package dev.ebb.store.due;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.DueMark;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * A walk through the events of a stream that age and own TTLs take up to a moment. Each execution has two sources that
 * are sorted by time: the ordered events from their head on, and the deadlines of the timed events. Both are read up to
 * that moment and no further. Used once.
 */
public final class DueWalk {

    private final ReadOnlyKeyValueStore<Bytes, byte[]> events;
    private final StreamState stream;
    private final DueFilter filter;
    private final DueVisitor visitor;

    public DueWalk(
            ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamState stream, DueFilter filter, DueVisitor visitor) {
        this.events = events;
        this.stream = stream;
        this.filter = filter;
        this.visitor = visitor;
    }

    /** Returns true if, according to its record, an event of the segment may go up to {@code untilMs}. */
    public static boolean mayHaveDue(Segment segment, EffectivePolicy policy, long untilMs) {
        if (!segment.execution().isTerminal()) {
            return false;
        }
        boolean hasDeadline = segment.count(Range.TIMED) > 0 && segment.heads().dueMs() <= untilMs;
        Position head =
                segment.count(Range.ORDERED) == 0 ? null : segment.heads().of(Range.ORDERED);
        return hasDeadline || (head != null && lastMs(segment, head, policy) <= untilMs);
    }

    static long lastMs(Segment segment, Position position, EffectivePolicy policy) {
        return RetentionDecider.removableByAgeMs(
                segment.anchorMs(position.anchorMs(), policy.anchor().value()), policy);
    }

    /**
     * Walks on from the cursor; null begins a walk, after the mark of the visitor. Returns the place where the visitor
     * ended the walk; null if the walk came to its end.
     */
    public @Nullable String walk(@Nullable String cursor) {
        DueCursor from = cursor == null ? null : DueCursor.parse(cursor);
        for (Segment segment : stream.segments()) {
            if (!visitor.goesOn()) {
                return null;
            }
            boolean isBefore = from != null && segment.number() < from.execution();
            if (!isBefore && mayHaveDue(segment, filter.policy(), visitor.lastWantedMs(filter.untilMs()))) {
                DueCursor start = from != null && segment.number() == from.execution() ? from : begin(segment);
                DueCursor end = walk(segment, start);
                if (end != null) {
                    return end.toString();
                }
            }
        }
        return null;
    }

    private DueCursor begin(Segment segment) {
        DueMark after = after();
        // Events of the millisecond of the mark may lie on both sides of it.
        DueMark tie = after != null && after.stream().equals(stream.stream()) && after.execution() == segment.number()
                ? after
                : null;
        Position first = new Position(segment.number(), 0, 0);
        Position behind = tie == null ? first : new Position(segment.number(), tie.anchorMs(), tie.seq() + 1);
        long fromMs = fromMs(segment, after);
        // In an execution above 0, a deadline in a key may be earlier than the true one, so none may be left out.
        long dueMs = Math.max(segment.heads().dueMs(), segment.number() == 0 ? fromMs : 0);
        boolean isTied = tie != null && segment.number() == 0 && dueMs == tie.lastMs();
        return new DueCursor(
                segment.number(),
                orderedFrom(segment, fromMs, tie, behind),
                segment.count(Range.TIMED) == 0 ? null : (Long) dueMs,
                isTied ? behind : first);
    }

    /**
     * Returns the mark of the visitor; null if it has none, or if it lies at the end of a notice: events of many due
     * times go in that millisecond, and all of them are read again.
     */
    private @Nullable DueMark after() {
        DueMark after = visitor.after();
        return after == null || after.lastMs() <= stream.noticeUntilMs() ? null : after;
    }

    /** Returns the earliest last millisecond that can lie after the mark in this execution. */
    private long fromMs(Segment segment, @Nullable DueMark after) {
        if (after == null) {
            return filter.firstKeyMs();
        }
        int byStream = stream.stream().compareTo(after.stream());
        boolean isBefore = byStream < 0 || (byStream == 0 && segment.number() < after.execution());
        return Math.max(filter.firstKeyMs(), isBefore ? after.lastMs() + 1 : after.lastMs());
    }

    /** Returns the position of the first ordered event to read; null if there is none. */
    private @Nullable Position orderedFrom(Segment segment, long fromMs, @Nullable DueMark tie, Position behind) {
        Position head =
                segment.count(Range.ORDERED) == 0 ? null : segment.heads().of(Range.ORDERED);
        if (head == null) {
            return null;
        }
        Position start = later(head, segment, fromMs);
        boolean isOfSameTime = tie != null && lastMs(segment, behind, filter.policy()) == tie.lastMs();
        return isOfSameTime && behind.compareTo(start) > 0 ? behind : start;
    }

    /** Returns the position of the first ordered event whose last millisecond is at or after {@code fromMs}. */
    private Position later(Position head, Segment segment, long fromMs) {
        long lifeMs = RetentionDecider.removableByAgeMs(0, filter.policy());
        long anchorMs = Math.max(0, fromMs - lifeMs);
        return segment.isCompletedAsOne() || anchorMs <= head.anchorMs()
                ? head
                : new Position(segment.number(), anchorMs, 0);
    }

    /** Walks both sources side by side, soonest first; each ends where nothing more of it is wanted. */
    private @Nullable DueCursor walk(Segment segment, DueCursor from) {
        try (DueSource ordered = source(segment, Range.ORDERED, orderedKey(from));
                DueSource timed = source(segment, Range.DUE, timedKey(from))) {
            Entry next = soonest(ordered.peek(), timed.peek());
            while (next != null && visitor.goesOn()) {
                DueSource source = next.range() == Range.ORDERED ? ordered : timed;
                if (visitor.mayWant(stream.stream(), next.lastMs(), next.position())) {
                    DueEvent due = next.value() == null ? null : filter.of(next.position(), next.value());
                    if (due != null && !visitor.due(due)) {
                        return DueCursor.of(segment.number(), ordered.peek(), timed.peek());
                    }
                    source.take();
                } else {
                    // No event goes before the time in its key.
                    source.end();
                }
                next = soonest(ordered.peek(), timed.peek());
            }
        }
        return null;
    }

    private DueSource source(Segment segment, Range range, @Nullable Bytes from) {
        return new DueSource(events, stream.sid(), segment, range, from, filter);
    }

    private static @Nullable Entry soonest(@Nullable Entry one, @Nullable Entry other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.lastMs() <= other.lastMs() ? one : other;
    }

    private @Nullable Bytes orderedKey(DueCursor from) {
        return from.ordered() == null ? null : EventKeys.positional(Range.ORDERED, stream.sid(), from.ordered());
    }

    private @Nullable Bytes timedKey(DueCursor from) {
        return from.dueMs() == null ? null : EventKeys.due(stream.sid(), from.dueMs(), from.timed());
    }

    /**
     * The first entry of a source.
     *
     * @param lastMs the last millisecond of the event, according to its key
     * @param value the event; null if it has gone since its deadline was read
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Entry(Range range, long lastMs, Position position, byte @Nullable [] value) {}
}
