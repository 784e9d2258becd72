package dev.ebb.store.state;

import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.layout.Range;
import java.util.List;

/**
 * Progress of a move of a stream's events into a new arrangement. It is saved with the usage, so that the move
 * continues after a restart. Not thread-safe.
 */
public final class Move {

    private final Arrangement target;
    private final List<Range> ranges;
    private final Passage passage;

    /** True if deadlines behind the move may have become wrong, so that all must be examined once more. */
    private boolean mustRetime;

    /**
     * True once the terminal statuses are applied to each execution; new executions are created under these statuses.
     */
    private boolean hasReclassified;

    private Move(Arrangement target, List<Range> ranges, Passage passage) {
        this.target = target;
        this.ranges = ranges;
        this.passage = passage;
    }

    /** Returns a move that has yet to visit its first event. */
    public static Move between(Arrangement from, Arrangement target, boolean hasWishes) {
        List<Range> ranges = Range.OF_EVENTS.stream()
                .filter(range -> target.moves(range, from, hasWishes))
                .toList();
        return new Move(target, ranges, Passage.oneByOne(ranges));
    }

    /** Returns a move that begins again, towards another target: it visits all events that this one may have moved. */
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

    /** Returns the pass through the events. */
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

    /** Notes that another move must follow, which examines all deadlines. */
    public void retimeAfterwards() {
        mustRetime = true;
    }

    /** Notes that the terminal statuses of the target are applied to all executions. */
    public void reclassified() {
        hasReclassified = true;
    }
}
