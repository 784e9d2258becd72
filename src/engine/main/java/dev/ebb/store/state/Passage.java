package dev.ebb.store.state;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.RangeMerge.Entry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * A pass over the events of a stream, in slices between which the stream changes. Prune, move, recount and emptying go
 * this way, and none of them keeps a cursor of its own. Its laws:
 *
 * <ol>
 *   <li>An event is shown in the slice that decides about it, as it is stored at that moment.
 *   <li>An event that stays from the beginning to the end of the pass is shown; one that comes behind the cursor is not.
 *   <li>{@link #behind} equals a recount of the events before the cursor at all times, if the pass is told of all that
 *       come and go ({@link #note}).
 *   <li>A head is raised only over events that the slice itself removed, from the head on without a gap: an event may
 *       have come below the cursor since the last slice.
 *   <li>No more than {@link #MOST_EVENTS} events and about {@link #MOST_BYTES} bytes are in memory at once.
 * </ol>
 *
 * <p>Not thread-safe.
 */
public final class Passage {

    /** The most events that are read before the first of them is shown. */
    static final int MOST_EVENTS = 256;

    /** Bytes of a batch from which on no event is added to it. */
    static final int MOST_BYTES = 1 << 20;

    private final List<Range> ranges;
    private final boolean isSideBySide;
    private final long[] behind = new long[Range.OF_EVENTS.size()];

    /** The first of the ranges that is not finished; all of them take this turn together if they go side by side. */
    private int current;

    /** The first key, without its range, that has not been passed; null if none has. */
    private byte @Nullable [] cursor;

    private Passage(List<Range> ranges, boolean isSideBySide) {
        this.ranges = List.copyOf(ranges);
        this.isSideBySide = isSideBySide;
    }

    /** A pass through one range after the other, each in the order of its keys. */
    public static Passage oneByOne(List<Range> ranges) {
        return new Passage(ranges, false);
    }

    /** A pass through positional ranges at once, in the order of positions (M-14). */
    public static Passage sideBySide(List<Range> ranges) {
        return new Passage(ranges, true);
    }

    /** Fate of an event that is shown. */
    public enum Outcome {
        /** The event lies where it lay. */
        STAYS,
        /** The event lies there no more. */
        GONE,
        /** The event lies where it lay and has not been passed: the pass ends here. */
        END
    }

    /**
     * Is shown the events, and spends the budget of the slice. It may take away the event that it is shown, and changes
     * no other: the next ones have been read already, and law 4 would not hold for an event that came below.
     */
    public interface Visitor {

        Outcome visit(Range range, Bytes key, byte[] value);
    }

    /** The ranges that the pass goes through. */
    List<Range> ranges() {
        return ranges;
    }

    /** Returns true if all events have been shown. */
    boolean isDone() {
        return current == ranges.size();
    }

    /** Number of events of the range that lie before the cursor. */
    public long behind(Range range) {
        return behind[range.ordinalOfEvents()];
    }

    /** Returns true if an event at that place has been passed. */
    public boolean isBehind(int sid, Location location, String id) {
        int turn = ranges.indexOf(location.range());
        if (turn < 0 || (!isSideBySide && turn > current)) {
            return false;
        }
        if (isDone() || (!isSideBySide && turn < current)) {
            return true;
        }
        return cursor != null && Arrays.compareUnsigned(EventKeys.withoutRange(location.key(sid, id)), cursor) < 0;
    }

    /** Notes that an event has come to that place, or has left it. */
    public void note(int sid, Location location, String id, int sign) {
        if (isBehind(sid, location, id)) {
            behind[location.range().ordinalOfEvents()] += sign;
        }
    }

    /**
     * Shows events as far as the budget goes.
     *
     * @return true if all have been shown, or the visitor has ended the pass; false if the budget ended the slice, or
     * the extent counts events that are not there: then the extent has been told so
     */
    public boolean slice(KeyValueStore<Bytes, byte[]> store, Extent extent, SweepBudget budget, Visitor visitor) {
        HeadRaise heads = new HeadRaise(extent, ranges, range -> isAtHead(extent, range));
        try {
            return goOn(store, extent, budget, visitor, heads);
        } finally {
            heads.raise();
        }
    }

    private boolean goOn(
            KeyValueStore<Bytes, byte[]> store, Extent extent, SweepBudget budget, Visitor visitor, HeadRaise heads) {
        while (!isDone()) {
            if (budget.isSpent()) {
                return false;
            }
            List<Entry> batch = read(store, extent, Math.min(MOST_EVENTS, budget.deletesLeft()));
            if (batch.isEmpty() && hasMissed(extent)) {
                extent.miscounted();
                return false;
            }
            if (batch.isEmpty()) {
                finishRange();
            } else if (show(batch, budget, visitor, heads)) {
                return true;
            }
        }
        return true;
    }

    /** Shows the events; returns whether the visitor has ended the pass. */
    private boolean show(List<Entry> batch, SweepBudget budget, Visitor visitor, HeadRaise heads) {
        for (Entry entry : batch) {
            if (budget.isSpent()) {
                return false;
            }
            cursor = EventKeys.withoutRange(entry.key());
            switch (visitor.visit(entry.range(), entry.key(), entry.value())) {
                case STAYS -> passed(entry, true, heads);
                case GONE -> passed(entry, false, heads);
                case END -> {
                    return true;
                }
            }
        }
        return false;
    }

    private void passed(Entry entry, boolean stays, HeadRaise heads) {
        byte[] key = EventKeys.withoutRange(entry.key());
        cursor = Arrays.copyOf(key, key.length + 1);
        if (stays) {
            behind[entry.range().ordinalOfEvents()]++;
        }
        heads.passed(entry.range(), entry.key(), stays, reading());
    }

    private void finishRange() {
        current = isSideBySide ? ranges.size() : current + 1;
        cursor = null;
    }

    private List<Range> reading() {
        return isSideBySide ? ranges : ranges.subList(current, current + 1);
    }

    private boolean hasMissed(Extent extent) {
        for (Range range : reading()) {
            if (extent.isCounted() && extent.count(range) > behind(range)) {
                return true;
            }
        }
        return false;
    }

    private List<Entry> read(KeyValueStore<Bytes, byte[]> store, Extent extent, int most) {
        try (RangeMerge merge = new RangeMerge()) {
            for (Range range : reading()) {
                long left = extent.isCounted() ? extent.count(range) - behind(range) : Long.MAX_VALUE;
                Bytes first = left > 0 ? first(extent, range) : null;
                if (first != null) {
                    merge.add(range, store.range(first, extent.end(range)), left);
                }
            }
            return merge.take(most, MOST_BYTES);
        }
    }

    private @Nullable Bytes first(Extent extent, Range range) {
        return cursor == null ? extent.first(range) : extent.firstFrom(range, EventKeys.withRange(range, cursor));
    }

    private boolean isAtHead(Extent extent, Range range) {
        Bytes first = extent.first(range);
        int turn = isSideBySide ? current : ranges.indexOf(range);
        return first != null
                && turn >= current
                && (turn > current
                        || cursor == null
                        || EventKeys.withRange(range, cursor).compareTo(first) <= 0);
    }

    /** Writes the progress for {@link #decodeOneByOne}; only for a pass one by one that is not told of changes. */
    void encode(ByteWriter out) {
        out.writeByte(ranges.size());
        ranges.forEach(range -> out.writeByte(range.code()));
        out.writeByte(current);
        out.writeBytes(
                cursor == null
                        ? new byte[0]
                        : EventKeys.withRange(ranges.get(current), cursor).get());
    }

    static Passage decodeOneByOne(ByteReader in) {
        List<Range> ranges = new ArrayList<>();
        for (int left = in.readByte(); left > 0; left--) {
            ranges.add(Objects.requireNonNull(Range.ofCode((byte) in.readByte())));
        }
        Passage passage = oneByOne(ranges);
        passage.current = in.readByte();
        byte[] key = in.readBytes();
        passage.cursor = key.length == 0 ? null : EventKeys.withoutRange(Bytes.wrap(key));
        return passage;
    }
}
