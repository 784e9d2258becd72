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

    private static final int SORTS = 1;
    private static final int CHANGES_ROWS = 1 << 1;

    private final Arrangement target;
    private final List<Range> ranges;
    private final Passage passage;

    /** True if other terminal statuses class events and executions anew. */
    private final boolean isSorting;

    /** True if rows of SQL come or go (F-13). */
    private final boolean changesRows;

    /** The number of events whose rows go, as long as the audit does not tell it; 0 if there is nothing to tell. */
    private long rowsToTell;

    /** True if deadlines behind the move may have become wrong, so that all must be examined once more. */
    private boolean mustRetime;

    /**
     * True once the terminal statuses are applied to each execution; new executions are created under these statuses.
     */
    private boolean hasReclassified;

    private Move(Arrangement target, List<Range> ranges, Passage passage, boolean isSorting, boolean changesRows) {
        this.target = target;
        this.ranges = ranges;
        this.passage = passage;
        this.isSorting = isSorting;
        this.changesRows = changesRows;
    }

    /**
     * Returns a move that has yet to visit its first event.
     *
     * @param changesRows true if rows of SQL come or go
     */
    public static Move between(Arrangement from, Arrangement target, boolean hasWishes, boolean changesRows) {
        List<Range> ranges = Range.OF_EVENTS.stream()
                .filter(range -> changesRows || target.moves(range, from, hasWishes))
                .toList();
        boolean isSorting = target.moves(Range.PINNED, from, hasWishes);
        return new Move(target, ranges, Passage.oneByOne(ranges), isSorting, changesRows);
    }

    /**
     * Returns a move that begins again, towards another target: it visits all events that this one may have moved.
     *
     * @param changesRowsNow true if rows of SQL come or go otherwise than in this move
     */
    public Move towards(Arrangement newTarget, boolean changesRowsNow) {
        boolean sorts = isSorting || newTarget.statuses() != target.statuses();
        boolean changes = changesRows || changesRowsNow;
        List<Range> all = Range.OF_EVENTS.stream()
                .filter(range -> range != Range.PINNED || sorts || changes)
                .toList();
        Move next = new Move(newTarget, all, Passage.oneByOne(all), sorts, changes);
        next.rowsToTell = changesRowsNow ? 0 : rowsToTell;
        return next;
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
        out.writeByte((isSorting ? SORTS : 0) | (changesRows ? CHANGES_ROWS : 0));
        out.writeVarLong(rowsToTell);
    }

    static Move decode(ByteReader in, boolean mustRetime) {
        Arrangement target = Arrangement.decode(in);
        Passage passage = Passage.decodeOneByOne(in);
        int flags = in.readByte();
        Move move = new Move(target, passage.ranges(), passage, (flags & SORTS) != 0, (flags & CHANGES_ROWS) != 0);
        move.rowsToTell = in.readVarLong();
        move.mustRetime = mustRetime;
        return move;
    }

    /** Returns true if other terminal statuses class events and executions anew. */
    public boolean isSorting() {
        return isSorting;
    }

    /** Returns true if rows of SQL come or go. */
    public boolean changesRows() {
        return changesRows;
    }

    /** Notes that the rows of so many events go, of which the audit is to tell. */
    public void rowsGo(long events) {
        rowsToTell = events;
    }

    /** Returns the number of events whose rows go, for the audit, and notes that it was told; 0 if it was. */
    public long takeRowsToTell() {
        long rows = rowsToTell;
        rowsToTell = 0;
        return rows;
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
