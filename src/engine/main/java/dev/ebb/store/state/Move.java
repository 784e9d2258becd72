package dev.ebb.store.state;

import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.layout.Range;
import java.util.List;

/**
 * Progress of the events of a stream into a new arrangement. It is kept with the usage, so that the move goes on
 * where it stood after a restart. Not thread-safe.
 */
public final class Move {

    private final Arrangement target;
    private final List<Range> ranges;
    private final Passage passage;

    /** True if deadlines may have become wrong behind the move, so that all must be looked at once more. */
    private boolean mustRetime;

    /** True if the terminal statuses are applied to each execution; new executions are made by these statuses. */
    private boolean hasReclassified;

    private Move(Arrangement target, List<Range> ranges, Passage passage) {
        this.target = target;
        this.ranges = ranges;
        this.passage = passage;
    }

    /** A move that has yet to look at its first event. */
    public static Move between(Arrangement from, Arrangement target, boolean hasWishes) {
        List<Range> ranges = Range.OF_EVENTS.stream()
                .filter(range -> target.moves(range, from, hasWishes))
                .toList();
        return new Move(target, ranges, Passage.oneByOne(ranges));
    }

    /** A move that begins anew towards another target: it has to look at all events that this one may have moved. */
    public Move towards(Arrangement newTarget) {
        boolean isReclassifying = visits(Range.PINNED) || newTarget.statuses() != target.statuses();
        List<Range> all = Range.OF_EVENTS.stream()
                .filter(range -> range != Range.PINNED || isReclassifying)
                .toList();
        return new Move(newTarget, all, Passage.oneByOne(all));
    }

    public Arrangement target() {
        return target;
    }

    public boolean visits(Range range) {
        return ranges.contains(range);
    }

    /** The way through the events. */
    public Passage passage() {
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

    public boolean mustRetime() {
        return mustRetime;
    }

    public boolean hasReclassified() {
        return hasReclassified;
    }

    /** Notes that another move has to follow, which looks at all deadlines. */
    public void retimeAfterwards() {
        mustRetime = true;
    }

    /** Notes that the terminal statuses of the target are applied to all executions. */
    public void reclassified() {
        hasReclassified = true;
    }
}
