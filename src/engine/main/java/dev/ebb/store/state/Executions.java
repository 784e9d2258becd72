package dev.ebb.store.state;

import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The executions above 0 of one stream, and their totals. Most streams have none and do without such an object. Not
 * thread-safe.
 */
public final class Executions {

    private final EventTotals totals;
    private long locked;
    private int open;

    private final NavigableMap<Long, Segment> segments = new TreeMap<>();
    private final ExecutionIndex<Segment> index = new ExecutionIndex<>();

    /** Executions whose entries in the index are out of date. */
    private final List<Segment> changed = new ArrayList<>();

    /** Executions whose records in the usage store are out of date. */
    private final Set<Segment> unsettled = new LinkedHashSet<>();

    private long linedUpFor = -1;
    private long line;

    public Executions() {
        this(new EventTotals());
    }

    private Executions(EventTotals totals) {
        this.totals = totals;
    }

    public void put(Segment segment) {
        segments.put(segment.number(), segment);
        include(segment, 1);
        if (linedUpFor > 0 && segment.number() > line) {
            line = segments.higherKey(line);
        }
        change(segment);
    }

    /** Notes that the index must update the execution. */
    void change(Segment segment) {
        if (!segment.isChanged()) {
            segment.setChanged(true);
            changed.add(segment);
        }
    }

    /** Notes that the execution must be saved, or forgotten if nothing is left of it. */
    void unsettle(Segment segment) {
        unsettled.add(segment);
    }

    /** Notes that the execution is saved. */
    void settled(Segment segment) {
        unsettled.remove(segment);
    }

    /** Returns the executions that must be saved, and clears the list. */
    public List<Segment> takeUnsettled() {
        List<Segment> taken = List.copyOf(unsettled);
        unsettled.clear();
        return taken;
    }

    /** Returns the index, brought up to date. */
    ExecutionIndex<Segment> index(StreamState stream) {
        for (Segment segment : changed) {
            segment.setChanged(false);
            if (segments.get(segment.number()) == segment) {
                index.put(segment.number(), segment, stream.nextDueMs(segment), traitsOf(segment));
            }
        }
        changed.clear();
        return index;
    }

    private static int traitsOf(Segment segment) {
        return (segment.eligibleEvents() > 0 ? ExecutionIndex.ELIGIBLE : 0)
                | (segment.execution().isTerminal() ? 0 : ExecutionIndex.OPEN);
    }

    /** Adds (1) or subtracts (-1) the whole segment. */
    public void include(Segment segment, int sign) {
        totals.add(segment.totals(), sign);
        includeSummary(segment, sign);
    }

    /** Adds (1) or subtracts (-1) the figures of the segment that depend on its status. */
    void includeSummary(Segment segment, int sign) {
        locked += sign * segment.lockedEvents();
        open += segment.execution().isTerminal() ? 0 : sign;
    }

    void remove(Segment segment) {
        segments.remove(segment.number());
        include(segment, -1);
        index.remove(segment.number());
        unsettled.remove(segment);
        if (linedUpFor > 0 && segment.number() >= line) {
            lowerLine();
        }
    }

    /**
     * Moves the line to the next lower execution. The line is counted down from the highest number, so executions below
     * it do not move it.
     */
    private void lowerLine() {
        Long lower = segments.lowerKey(line);
        if (lower == null) {
            linedUpFor = -1;
        } else {
            line = lower;
        }
    }

    @Nullable
    Segment of(long number) {
        return segments.get(number);
    }

    /** Returns the execution with this number or the next higher one; null if there is none. */
    @Nullable
    Segment from(long number) {
        var next = segments.ceilingEntry(number);
        return next == null ? null : next.getValue();
    }

    /** Returns all executions by number, lowest first; a live view. */
    Collection<Segment> all() {
        return segments.values();
    }

    /** Returns the executions from {@code from} (inclusive) to {@code to} (exclusive), lowest first; a live view. */
    Collection<Segment> between(long from, long to) {
        return segments.subMap(from, true, to, false).values();
    }

    public int size() {
        return segments.size();
    }

    long current() {
        return segments.lastKey();
    }

    /**
     * Returns the lowest number among the last executions, which include the current one.
     *
     * @param last the number of executions to count, at least 1
     * @param hasRoot true if execution 0 is one of the stream's executions
     */
    public long lowestOfLast(long last, boolean hasRoot) {
        if (last >= segments.size() + (hasRoot ? 1L : 0)) {
            return 0;
        }
        if (last == segments.size()) {
            return segments.firstKey();
        }
        if (linedUpFor != last) {
            linedUpFor = last;
            line = segments.descendingKeySet().stream()
                    .skip(last - 1)
                    .findFirst()
                    .orElse(0L);
        }
        return line;
    }

    /** Returns the number of executions with this number or a higher one. */
    long rank(long number) {
        return segments.tailMap(number, true).size();
    }

    public int open() {
        return open;
    }

    public long locked() {
        return locked;
    }

    /** Returns the totals of the events of all executions above 0. */
    public EventTotals totals() {
        return totals;
    }

    /** Writes the totals, without the executions. */
    void encode(ByteWriter out) {
        totals.encode(out);
        out.writeVarLong(locked).writeVarLong(open);
    }

    /** Reads the totals in the output of {@link #encode}. */
    static Executions decode(ByteReader in) {
        Executions executions = new Executions(EventTotals.decode(in));
        executions.locked = in.readVarLong();
        executions.open = (int) in.readVarLong();
        return executions;
    }
}
