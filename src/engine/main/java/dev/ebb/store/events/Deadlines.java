package dev.ebb.store.events;

import dev.ebb.store.events.HeadWalk.Candidate;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.ShadowWalk;
import dev.ebb.store.state.SliceMemory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The timed events of an execution whose deadlines have passed, in the order of deletion. The store has them by
 * deadline, so live events need no look; they are sorted here. Not thread-safe.
 */
public final class Deadlines implements SliceMemory {

    /** The most deadlines sorted at once; the others follow in the next round. */
    private static final int MAX_AT_ONCE = 10_000;

    /** A shadow is counted in whole rounds, so its rounds are short. */
    private static final int MAX_AT_ONCE_IN_SHADOW = 1000;

    private final EventTable events;
    private final Segment segment;
    private final KeepLast keepLast;
    private final List<Deadline> passed = new ArrayList<>();
    private int taken;
    private long beyondMs = Location.NO_DUE;
    private long guardedMs = Location.NO_DUE;
    private @Nullable Candidate current;

    private Deadlines(EventTable events, Segment segment, KeepLast keepLast) {
        this.events = events;
        this.segment = segment;
        this.keepLast = keepLast;
    }

    /**
     * Reads the deadlines before {@code nowMs}, at most {@code limit}, and leaves out events that {@code keepLast}
     * keeps. Reads nothing if the head shows that no deadline has passed.
     */
    public static Deadlines passed(EventTable events, Segment segment, KeepLast keepLast, long nowMs, int limit) {
        Deadlines deadlines = new Deadlines(events, segment, keepLast);
        if (segment.unwalked(Range.TIMED) == 0) {
            return deadlines;
        }
        deadlines.beyondMs = segment.heads().dueMs();
        if (segment.heads().dueMs() < nowMs) {
            boolean isShadow = segment.stream().isShadow();
            deadlines.collect(nowMs, isShadow ? MAX_AT_ONCE_IN_SHADOW : Math.min(limit, MAX_AT_ONCE));
        }
        return deadlines;
    }

    /** Returns the first event that has not been taken; null if there is none. */
    public @Nullable Candidate peek() {
        while (current == null && taken < passed.size()) {
            current = read(passed.get(taken).position());
            taken += current == null ? 1 : 0;
        }
        return current;
    }

    public void take() {
        current = null;
        taken++;
    }

    /** Returns true if the deadline of an event that {@code keepLast} keeps has passed. */
    public boolean hasGuarded() {
        return guardedMs != Location.NO_DUE;
    }

    /** Returns a time before which no deadline lies that this round has not read. */
    public long beyondMs() {
        return beyondMs;
    }

    /** Returns a time before which no deadline lies that has not been taken. */
    public long nextDueMs() {
        long next = Math.min(beyondMs, guardedMs);
        for (Deadline deadline : passed.subList(taken, passed.size())) {
            next = Math.min(next, deadline.dueMs());
        }
        return next;
    }

    private void collect(long nowMs, int limit) {
        beyondMs = Location.NO_DUE;
        int sid = segment.stream().sid();
        try (var entries = events.store().range(start(sid), EventKeys.end(Range.DUE, sid))) {
            while (entries.hasNext()) {
                Bytes key = entries.next().key;
                if (EventKeys.executionOf(key) != segment.number()) {
                    break;
                }
                if (EventKeys.dueOf(key) >= nowMs || passed.size() == limit) {
                    beyondMs = EventKeys.dueOf(key);
                    break;
                }
                add(key);
            }
        }
        passed.sort(Comparator.comparing(Deadline::position));
    }

    private Bytes start(int sid) {
        ShadowWalk shadow = segment.shadowWalk();
        return shadow != null && shadow.dueCursor() != null
                ? shadow.dueCursor()
                : EventKeys.dueFrom(sid, segment.number(), segment.heads().dueMs());
    }

    /**
     * Adds the deadline, unless {@code keepLast} keeps the event: it then stays with its deadline and blocks no other
     * event.
     */
    private void add(Bytes key) {
        long dueMs = EventKeys.dueOf(key);
        Position position = EventKeys.positionOfDue(key);
        if (keepLast.keeps(position)) {
            guardedMs = Math.min(guardedMs, dueMs);
        } else {
            passed.add(new Deadline(dueMs, position));
        }
        if (segment.shadowWalk() != null) {
            segment.shadowWalk().passDeadline(key);
        }
    }

    /**
     * Returns the event; null if it is gone. A stream lives on between the slices of its shadow and may lose events; in
     * any other case a missing event is a fault.
     */
    private @Nullable Candidate read(Position position) {
        Bytes key = EventKeys.positional(Range.TIMED, segment.stream().sid(), position);
        byte[] value = events.store().get(key);
        if (value == null && !segment.stream().isShadow()) {
            segment.stream().suspect("a deadline of " + segment + " names an event that is not there");
        }
        return value == null ? null : Candidate.of(Range.TIMED, key, value);
    }

    private record Deadline(long dueMs, Position position) {}
}
