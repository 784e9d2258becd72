package dev.ebb.store.state;

import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The places where the events of a stream begin, by range: no live key lies below. A scan can thus start at the first
 * live key instead of walking over the tombstones before it. Not thread-safe.
 *
 * <p>A head moves with each event that comes or goes, so it is changed in place: a new object in a stream that stays in
 * memory for long would be one more reference for the next garbage collection to follow (B-6).
 */
public final class Heads {

    private @Nullable Spot ordered;
    private @Nullable Spot orderedTail;
    private @Nullable Spot timed;
    private @Nullable Spot infinite;
    private long dueMs = Location.NO_DUE;

    /** Returns the first position that may hold an event; null if there is none in the range. */
    public @Nullable Position of(Range range) {
        return position(spot(range));
    }

    /** Returns the last position that has held an event since the ordered range was last empty; null if it is empty. */
    public @Nullable Position orderedTail() {
        return position(orderedTail);
    }

    /** Returns a time before which no deadline lies; {@link Location#NO_DUE} if there is no deadline. */
    public long dueMs() {
        return dueMs;
    }

    /** Lowers the head at every insert: an event may arrive below events that were already swept. */
    public void include(Location location) {
        Range range = location.range();
        if (!range.isPositional()) {
            return;
        }
        Position position = location.position();
        Spot head = spot(range);
        if (head == null) {
            put(range, new Spot(position));
        } else if (head.isEmpty || head.compareTo(position) > 0) {
            head.set(position);
        }
        if (range == Range.ORDERED) {
            includeInTail(position);
        }
        dueMs = Math.min(dueMs, location.dueMs());
    }

    private void includeInTail(Position position) {
        if (orderedTail == null) {
            orderedTail = new Spot(position);
        } else if (orderedTail.isEmpty || orderedTail.compareTo(position) < 0) {
            orderedTail.set(position);
        }
    }

    public void include(Heads other) {
        for (Range range : Range.OF_EVENTS) {
            Position position = range.isPositional() ? other.of(range) : null;
            if (position != null) {
                include(new Location(range, position, Location.NO_DUE, 0));
            }
        }
        Position tail = other.orderedTail();
        if (tail != null) {
            include(new Location(Range.ORDERED, tail, Location.NO_DUE, 0));
        }
        dueMs = Math.min(dueMs, other.dueMs);
    }

    /**
     * Raises the head of a range that has one.
     *
     * @param position the new head, below which all keys are known to be gone; null if the range is empty
     */
    public void raise(Range range, @Nullable Position position) {
        Spot head = spot(range);
        if (position == null) {
            clear(head);
            clear(range == Range.ORDERED ? orderedTail : null);
        } else {
            Objects.requireNonNull(head).set(position);
        }
    }

    /** Raises the first deadline: all earlier deadlines are known to be gone. */
    public void raiseDue(long newDueMs) {
        dueMs = newDueMs;
    }

    void encode(ByteWriter out) {
        encode(out, ordered);
        encode(out, orderedTail);
        encode(out, timed);
        encode(out, infinite);
        out.writeLong(dueMs);
    }

    static Heads decode(ByteReader in) {
        Heads heads = new Heads();
        heads.ordered = decodeSpot(in);
        heads.orderedTail = decodeSpot(in);
        heads.timed = decodeSpot(in);
        heads.infinite = decodeSpot(in);
        heads.dueMs = in.readLong();
        return heads;
    }

    private @Nullable Spot spot(Range range) {
        return switch (range) {
            case ORDERED -> ordered;
            case TIMED -> timed;
            case INFINITE -> infinite;
            default -> throw new IllegalArgumentException("no head in range " + range);
        };
    }

    private void put(Range range, Spot spot) {
        switch (range) {
            case ORDERED -> ordered = spot;
            case TIMED -> timed = spot;
            case INFINITE -> infinite = spot;
            default -> throw new IllegalArgumentException("no head in range " + range);
        }
    }

    private static void clear(@Nullable Spot spot) {
        if (spot != null) {
            spot.isEmpty = true;
        }
    }

    private static @Nullable Position position(@Nullable Spot spot) {
        return spot == null || spot.isEmpty ? null : spot.position();
    }

    private static void encode(ByteWriter out, @Nullable Spot spot) {
        Position position = position(spot);
        out.writeByte(position == null ? 0 : 1);
        if (position != null) {
            out.writeVarLong(position.execution())
                    .writeLong(position.anchorMs())
                    .writeVarLong(position.seq());
        }
    }

    private static @Nullable Spot decodeSpot(ByteReader in) {
        return in.readByte() == 0 ? null : new Spot(new Position(in.readVarLong(), in.readLong(), in.readVarLong()));
    }

    /** A mutable position; it is kept for the next event when its range is empty. */
    private static final class Spot {

        boolean isEmpty;
        private long execution;
        private long anchorMs;
        private long seq;

        Spot(Position position) {
            set(position);
        }

        void set(Position position) {
            isEmpty = false;
            execution = position.execution();
            anchorMs = position.anchorMs();
            seq = position.seq();
        }

        Position position() {
            return new Position(execution, anchorMs, seq);
        }

        int compareTo(Position other) {
            return position().compareTo(other);
        }
    }
}
