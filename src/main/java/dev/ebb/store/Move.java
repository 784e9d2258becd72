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
    private final Heads heads;
    private int current;
    private @Nullable Bytes cursor;

    private Move(Arrangement target, List<Range> ranges, Heads heads) {
        this.target = target;
        this.ranges = ranges;
        this.heads = heads;
    }

    /** A move that has yet to look at its first event. */
    static Move between(Arrangement from, Arrangement target) {
        List<Range> ranges = new ArrayList<>();
        if (target.movesOrdered(from)) {
            ranges.add(Range.ORDERED);
        }
        ranges.add(Range.TIMED);
        ranges.add(Range.INFINITE);
        if (target.movesPinned(from)) {
            ranges.add(Range.PINNED);
        }
        return new Move(target, ranges, new Heads());
    }

    Arrangement target() {
        return target;
    }

    /** Where the events begin that are in the new arrangement already. */
    Heads heads() {
        return heads;
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
        heads.encode(out);
        out.writeByte(current);
        out.writeBytes(cursor == null ? new byte[0] : cursor.get());
    }

    static Move decode(ByteReader in) {
        Arrangement target = Arrangement.decode(in);
        List<Range> ranges = new ArrayList<>();
        for (int left = in.readByte(); left > 0; left--) {
            ranges.add(Objects.requireNonNull(Range.ofCode((byte) in.readByte())));
        }
        Move move = new Move(target, ranges, Heads.decode(in));
        move.current = in.readByte();
        byte[] cursor = in.readBytes();
        move.cursor = cursor.length == 0 ? null : Bytes.wrap(cursor);
        return move;
    }
}
