package dev.ebb.store;

import org.jspecify.annotations.Nullable;

/**
 * Where the events of a stream begin in each range: no live key lies below. They let a scan start at the first live key
 * instead of walking over the tombstones before it. Not thread-safe.
 */
final class Heads {

    private @Nullable Position ordered;
    private @Nullable Position orderedTail;
    private @Nullable Position timed;
    private @Nullable Position infinite;
    private long dueMs = Location.NO_DUE;

    /** The first position that may hold an event; null if there is none in the range. */
    @Nullable
    Position of(Range range) {
        return switch (range) {
            case ORDERED -> ordered;
            case TIMED -> timed;
            case INFINITE -> infinite;
            default -> throw new IllegalArgumentException("no head in range " + range);
        };
    }

    /** The last position that ever held an event since the range was empty; null if it is empty. */
    @Nullable
    Position orderedTail() {
        return orderedTail;
    }

    /** No deadline lies before this time; {@link Location#NO_DUE} if there is none. */
    long dueMs() {
        return dueMs;
    }

    /** Every insert lowers the head: an event may arrive below what was already swept. */
    void include(Location location) {
        Position position = location.position();
        switch (location.range()) {
            case ORDERED -> {
                ordered = min(ordered, position);
                orderedTail = orderedTail == null || orderedTail.compareTo(position) < 0 ? position : orderedTail;
            }
            case TIMED -> timed = min(timed, position);
            case INFINITE -> infinite = min(infinite, position);
            default -> {
                return;
            }
        }
        dueMs = Math.min(dueMs, location.dueMs());
    }

    void include(Heads other) {
        for (Range range : Range.OF_EVENTS) {
            Position position = range.isPositional() ? other.of(range) : null;
            if (position != null) {
                include(new Location(range, position, Location.NO_DUE, 0));
            }
        }
        if (other.orderedTail != null) {
            include(new Location(Range.ORDERED, other.orderedTail, Location.NO_DUE, 0));
        }
        dueMs = Math.min(dueMs, other.dueMs);
    }

    /** All keys below are known to be gone; null if the range is empty. */
    void raise(Range range, @Nullable Position position) {
        switch (range) {
            case ORDERED -> {
                ordered = position;
                orderedTail = position == null ? null : orderedTail;
            }
            case TIMED -> timed = position;
            case INFINITE -> infinite = position;
            default -> throw new IllegalArgumentException("no head in range " + range);
        }
    }

    /** All deadlines before are known to be gone. */
    void raiseDue(long newDueMs) {
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
        heads.ordered = decodePosition(in);
        heads.orderedTail = decodePosition(in);
        heads.timed = decodePosition(in);
        heads.infinite = decodePosition(in);
        heads.dueMs = in.readLong();
        return heads;
    }

    private static Position min(@Nullable Position one, Position other) {
        return one == null || other.compareTo(one) < 0 ? other : one;
    }

    private static void encode(ByteWriter out, @Nullable Position position) {
        out.writeByte(position == null ? 0 : 1);
        if (position != null) {
            out.writeVarLong(position.execution())
                    .writeLong(position.anchorMs())
                    .writeVarLong(position.seq());
        }
    }

    private static @Nullable Position decodePosition(ByteReader in) {
        return in.readByte() == 0 ? null : new Position(in.readVarLong(), in.readLong(), in.readVarLong());
    }
}
