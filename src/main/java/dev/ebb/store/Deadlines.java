package dev.ebb.store;

import dev.ebb.store.HeadWalk.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The timed events of a stream whose deadline has passed, in the order of deletion. They lie by deadline in the store, so
 * that the live ones need not be looked at, and are sorted here. Not thread-safe.
 */
final class Deadlines {

    /** More than these are not sorted at once; the rest follows in the next round. */
    private static final int MAX_AT_ONCE = 10_000;

    private final EventStore store;
    private final StreamState stream;
    private final List<Deadline> passed = new ArrayList<>();
    private int taken;
    private long beyondMs = Location.NO_DUE;
    private @Nullable Candidate current;

    private Deadlines(EventStore store, StreamState stream) {
        this.store = store;
        this.stream = stream;
    }

    /** The deadlines before {@code nowMs}, at most so many; nothing is read if the stream's head says there are none. */
    static Deadlines passed(EventStore store, StreamState stream, long nowMs, int limit) {
        Deadlines deadlines = new Deadlines(store, stream);
        if (stream.count(Range.TIMED) == 0) {
            return deadlines;
        }
        deadlines.beyondMs = stream.heads.dueMs();
        if (stream.heads.dueMs() < nowMs) {
            deadlines.collect(nowMs, Math.min(limit, MAX_AT_ONCE));
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

    /** No deadline that has not been taken lies before this time. */
    long nextDueMs() {
        long next = beyondMs;
        for (Deadline deadline : passed.subList(taken, passed.size())) {
            next = Math.min(next, deadline.dueMs());
        }
        return next;
    }

    private void collect(long nowMs, int limit) {
        beyondMs = Location.NO_DUE;
        Bytes from = EventKeys.dueFrom(stream.sid, stream.heads.dueMs());
        try (var entries = store.events().range(from, EventKeys.sentinel(Range.DUE, stream.sid))) {
            while (entries.hasNext()) {
                Bytes key = entries.next().key;
                if (EventKeys.isSentinel(key)) {
                    break;
                }
                if (EventKeys.dueOf(key) >= nowMs || passed.size() == limit) {
                    beyondMs = EventKeys.dueOf(key);
                    break;
                }
                passed.add(new Deadline(EventKeys.dueOf(key), EventKeys.positionOfDue(key)));
            }
        }
        passed.sort(Comparator.comparing(Deadline::position));
    }

    private Candidate read(Position position) {
        Bytes key = EventKeys.positional(Range.TIMED, stream.sid, position);
        byte[] value = store.events().get(key);
        if (value == null) {
            throw new IllegalStateException("a deadline of stream " + stream + " names an event that is not there");
        }
        return Candidate.of(Range.TIMED, key, value);
    }

    private record Deadline(long dueMs, Position position) {}
}
