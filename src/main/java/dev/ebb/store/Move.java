package dev.ebb.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * How far the events of a stream have been moved into a new arrangement. It is kept with the usage, so that the
 * move goes on where it stood after a restart. Not thread-safe.
 */
final class Move {

    private final Arrangement target;
    private final List<Range> ranges;
    private int current;
    private @Nullable Bytes cursor;

    private Move(Arrangement target, List<Range> ranges) {
        this.target = target;
        this.ranges = ranges;
    }

    /** A move that has yet to look at its first event. */
    static Move between(Arrangement from, Arrangement target, boolean hasWishes) {
        List<Range> ranges = Arrays.stream(Range.OF_EVENTS)
                .filter(range -> target.moves(range, from, hasWishes))
                .toList();
        return new Move(target, ranges);
    }

    /** A move that begins anew towards another target: it has to look at all that this one may have put elsewhere. */
    Move towards(Arrangement newTarget) {
        boolean isReclassifying = visits(Range.PINNED) || newTarget.statuses() != target.statuses();
        List<Range> all = Arrays.stream(Range.OF_EVENTS)
                .filter(range -> range != Range.PINNED || isReclassifying)
                .toList();
        return new Move(newTarget, all);
    }

    Arrangement target() {
        return target;
    }

    boolean visits(Range range) {
        return ranges.contains(range);
    }

    /** The range that is being moved; null if all are done. */
    @Nullable
    Range range() {
        return current < ranges.size() ? ranges.get(current) : null;
    }

    /** The first key of that range that has not been looked at; null if none of them has. */
    @Nullable
    Bytes cursor() {
        return cursor;
    }

    void goOnAfter(Bytes key) {
        byte[] next = Arrays.copyOf(key.get(), key.get().length + 1);
        cursor = Bytes.wrap(next);
    }

    void finishRange() {
        current++;
        cursor = null;
    }

    void encode(ByteWriter out) {
        target.encode(out);
        out.writeByte(ranges.size());
        ranges.forEach(range -> out.writeByte(range.code()));
        out.writeByte(current);
        out.writeBytes(cursor == null ? new byte[0] : cursor.get());
    }

    static Move decode(ByteReader in) {
        Arrangement target = Arrangement.decode(in);
        List<Range> ranges = new ArrayList<>();
        for (int left = in.readByte(); left > 0; left--) {
            ranges.add(Objects.requireNonNull(Range.ofCode((byte) in.readByte())));
        }
        Move move = new Move(target, ranges);
        move.current = in.readByte();
        byte[] cursor = in.readBytes();
        move.cursor = cursor.length == 0 ? null : Bytes.wrap(cursor);
        return move;
    }
}
