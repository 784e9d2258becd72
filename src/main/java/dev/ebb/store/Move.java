package dev.ebb.store;

import java.util.Arrays;
import java.util.List;

/**
 * How far the events of a stream have been moved into a new arrangement. It is kept with the usage, so that the
 * move goes on where it stood after a restart. Not thread-safe.
 */
final class Move {

    private final Arrangement target;
    private final List<Range> ranges;
    private final Passage passage;

    /** Whether deadlines may have become wrong behind it, so that all must be looked at once more. */
    private boolean mustRetime;

    /** Whether it is known what the terminal statuses make of each execution; new ones are made as these say. */
    private boolean hasReclassified;

    private Move(Arrangement target, List<Range> ranges, Passage passage) {
        this.target = target;
        this.ranges = ranges;
        this.passage = passage;
    }

    /** A move that has yet to look at its first event. */
    static Move between(Arrangement from, Arrangement target, boolean hasWishes) {
        List<Range> ranges = Arrays.stream(Range.OF_EVENTS)
                .filter(range -> target.moves(range, from, hasWishes))
                .toList();
        return new Move(target, ranges, Passage.oneByOne(ranges));
    }

    /** A move that begins anew towards another target: it has to look at all that this one may have put elsewhere. */
    Move towards(Arrangement newTarget) {
        boolean isReclassifying = visits(Range.PINNED) || newTarget.statuses() != target.statuses();
        List<Range> all = Arrays.stream(Range.OF_EVENTS)
                .filter(range -> range != Range.PINNED || isReclassifying)
                .toList();
        return new Move(newTarget, all, Passage.oneByOne(all));
    }

    Arrangement target() {
        return target;
    }

    boolean visits(Range range) {
        return ranges.contains(range);
    }

    /** The way through the events. */
    Passage passage() {
        return passage;
    }

    void encode(ByteWriter out) {
        target.encode(out);
        passage.encode(out);
    }

    static Move decode(ByteReader in, boolean mustRetime) {
        Arrangement target = Arrangement.decode(in);
        Passage passage = Passage.decodeOneByOne(in);
        Move move = new Move(target, passage.ranges(), passage);
        move.mustRetime = mustRetime;
        return move;
    }

    boolean mustRetime() {
        return mustRetime;
    }

    boolean hasReclassified() {
        return hasReclassified;
    }

    /** Another move has to follow that looks at all deadlines. */
    void retimeAfterwards() {
        mustRetime = true;
    }

    /** The terminal statuses of the target are applied to all executions. */
    void reclassified() {
        hasReclassified = true;
    }
}
