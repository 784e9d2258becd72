package dev.ebb.store;

import dev.ebb.store.HeadWalk.Candidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The timed events of an execution whose deadline has passed, in the order of deletion. They lie by deadline in the store,
 * so that the live ones need not be looked at, and are sorted here. Not thread-safe.
 */
final class Deadlines {

    /** More than these are not sorted at once; the rest follows in the next round. */
    private static final int MAX_AT_ONCE = 10_000;

    /** A shadow is counted in whole rounds, so they are short. */
    private static final int MAX_AT_ONCE_IN_SHADOW = 1000;

    private final EventTable events;
    private final Segment segment;
    private final List<Deadline> passed = new ArrayList<>();
    private int taken;
    private long beyondMs = Location.NO_DUE;
    private long leftMs = Location.NO_DUE;
    private @Nullable Candidate current;

    private Deadlines(EventTable events, Segment segment) {
        this.events = events;
        this.segment = segment;
    }

    /**
     * The deadlines before {@code nowMs}, the first ones if they are many; nothing is read if the head says there are none.
     *
     * @param limit how many can be used
     * @param kept how many events a guard keeps at the most: so many more are read, that they never hide the others
     */
    static Deadlines passed(EventTable events, Segment segment, long nowMs, int limit, int kept) {
        Deadlines deadlines = new Deadlines(events, segment);
        if (segment.unwalked(Range.TIMED) == 0) {
            return deadlines;
        }
        deadlines.beyondMs = segment.heads.dueMs();
        if (segment.heads.dueMs() < nowMs) {
            int atOnce = segment.stream.isShadow() ? MAX_AT_ONCE_IN_SHADOW : Math.min(limit, MAX_AT_ONCE);
            deadlines.collect(nowMs, (int) Math.min(Integer.MAX_VALUE, (long) atOnce + kept));
        }
        return deadlines;
    }

    /** The first of them that has not been taken; null if there is none. */
    @Nullable
    Candidate peek() {
        if (current == null && taken < passed.size()) {
            current = read(passed.get(taken).position());
        }
        return current;
    }

    void take() {
        current = null;
        taken++;
    }

    /** Goes on behind all that are left: their events stay, and their deadlines with them. */
    void leaveRest() {
        leftMs = nextDueMs();
        current = null;
        taken = passed.size();
    }

    /** No deadline that has not been taken lies before this time. */
    long nextDueMs() {
        long next = Math.min(beyondMs, leftMs);
        for (Deadline deadline : passed.subList(taken, passed.size())) {
            next = Math.min(next, deadline.dueMs());
        }
        return next;
    }

    /** No deadline that has not been read lies before this time. */
    long laterMs() {
        return beyondMs;
    }

    private void collect(long nowMs, int limit) {
        beyondMs = Location.NO_DUE;
        int sid = segment.stream.sid;
        Bytes from = segment.dueCursor == null
                ? EventKeys.dueFrom(sid, segment.number, segment.heads.dueMs())
                : segment.dueCursor;
        try (var entries = events.store().range(from, EventKeys.sentinel(Range.DUE, sid))) {
            while (entries.hasNext()) {
                Bytes key = entries.next().key;
                if (EventKeys.isSentinel(key) || EventKeys.executionOf(key) != segment.number) {
                    break;
                }
                if (EventKeys.dueOf(key) >= nowMs || passed.size() == limit) {
                    beyondMs = EventKeys.dueOf(key);
                    break;
                }
                passed.add(new Deadline(EventKeys.dueOf(key), EventKeys.positionOfDue(key)));
                noteInShadow(key);
            }
        }
        passed.sort(Comparator.comparing(Deadline::position));
    }

    /** In a shadow nothing is taken out of the store, so the next round must begin behind this one. */
    private void noteInShadow(Bytes key) {
        if (segment.stream.isShadow()) {
            segment.dueCursor = Bytes.wrap(Arrays.copyOf(key.get(), key.get().length + 1));
        }
    }

    private Candidate read(Position position) {
        Bytes key = EventKeys.positional(Range.TIMED, segment.stream.sid, position);
        byte[] value = events.store().get(key);
        if (value == null) {
            throw new IllegalStateException("a deadline of " + segment + " names an event that is not there");
        }
        return Candidate.of(Range.TIMED, key, value);
    }

    private record Deadline(long dueMs, Position position) {}
}
