package dev.ebb.store.events;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Place;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.KeepLine;
import dev.ebb.store.state.StreamState;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The line from which on the events of a stream without executions are among its last (the guard {@code keepLast}). If
 * no event has an own TTL, the number of events is enough; else as many keys as the guard keeps are read backwards to
 * find the line.
 */
public final class KeepLast {

    /** A number of newer events that is far beyond any guard. */
    private static final long MANY = Long.MAX_VALUE;

    /** The line if there is no such guard. */
    public static final KeepLast NOTHING = new KeepLast(null);

    /** The line of a stream that holds no more than the guard keeps. */
    public static final KeepLast ALL = new KeepLast(new Position(0, 0, 0));

    private final @Nullable Position line;

    private KeepLast(@Nullable Position line) {
        this.line = line;
    }

    /** Returns the line of a stream in which something may be due; reads nothing if there is no such guard. */
    public static KeepLast of(ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamState stream, EffectivePolicy policy) {
        var keepLast = policy.keepLast().value();
        if (keepLast.isNone() || stream.executions() != null) {
            return NOTHING;
        }
        if (stream.root().eligibleEvents() <= keepLast.value()) {
            return ALL;
        }
        return new KeepLast(line(events, stream, (int) Math.min(Integer.MAX_VALUE, keepLast.value())));
    }

    /** Returns a line that begins at this position. */
    public static KeepLast from(Position line) {
        return new KeepLast(line);
    }

    /** Returns true if the guard keeps an event at that position. */
    boolean keeps(Position position) {
        return line != null && position.compareTo(line) >= 0;
    }

    /** Returns the place with the number of newer events as far as it is known: none, or more than any guard keeps. */
    public Place place(Place place, Position position) {
        return place.withNewer(keeps(position) ? 0 : MANY);
    }

    /**
     * Returns the line, read once for all slices of a sweep: it stays as long as no event comes, and no event goes
     * above it.
     */
    private static Position line(ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamState stream, int keep) {
        KeepLine known = stream.sweepMemory().keepLine();
        if (known == null || known.keep() != keep) {
            known = new KeepLine(keep, find(events, stream, keep));
            stream.remember(stream.sweepMemory().withKeepLine(known));
        }
        return known.position();
    }

    /**
     * Reads backwards through both ranges, each time the newer event. If there are fewer than expected, all are kept.
     */
    private static Position find(ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamState stream, int keep) {
        try (Backwards ordered = new Backwards(events, stream, Range.ORDERED, keep);
                Backwards timed = new Backwards(events, stream, Range.TIMED, keep)) {
            Position line = null;
            for (int i = 0; i < keep; i++) {
                line = (ordered.isNewerThan(timed) ? ordered : timed).take();
            }
            return line == null ? new Position(0, 0, 0) : line;
        }
    }

    /** The positions of one range, newest first; reads no more than the count. */
    private static final class Backwards implements AutoCloseable {

        private final @Nullable KeyValueIterator<Bytes, byte[]> entries;
        private long left;
        private @Nullable Position newest;

        Backwards(ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamState stream, Range range, int most) {
            left = Math.min(most, stream.root().count(range));
            entries = left == 0
                    ? null
                    : events.reverseRange(stream.root().startOf(range), EventKeys.end(range, stream.sid()));
            read();
        }

        private void read() {
            var source = entries;
            newest = left > 0 && source != null && source.hasNext() ? EventKeys.positionOf(source.next().key) : null;
            left--;
        }

        boolean isNewerThan(Backwards other) {
            return newest != null && (other.newest == null || newest.compareTo(other.newest) > 0);
        }

        /** Takes the next position; returns null if none is left. */
        @Nullable
        Position take() {
            Position taken = newest;
            read();
            return taken;
        }

        @Override
        public void close() {
            if (entries != null) {
                entries.close();
            }
        }
    }
}
