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
 * A pass over the events of a stream, in slices between which the stream changes. Prune, move, recount and emptying all
 * use it, and none of them keeps a cursor of its own. Its laws:
 *
 * <ol>
 *   <li>An event is shown in the slice that decides about it, as it is stored at that moment.
 *   <li>An event that stays from the beginning to the end of the pass is shown; an event that comes behind the cursor
 *       is not.
 *   <li>{@link #behind} always equals a recount of the events before the cursor, if the pass receives all events that
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

    /** The size of a batch, in bytes, from which on it takes no further event. */
    static final int MOST_BYTES = 1 << 20;

    private final List<Range> ranges;
    private final boolean isSideBySide;
    private final long[] behind = new long[Range.OF_EVENTS.size()];

    /** The index of the first range that is not finished; side by side, all ranges share one turn. */
    private int current;

    /** The first key that has not been passed, without its range; null if none has been passed. */
    private byte @Nullable [] cursor;

    private Passage(List<Range> ranges, boolean isSideBySide) {
        this.ranges = List.copyOf(ranges);
        this.isSideBySide = isSideBySide;
    }

    /** Returns a pass through one range after the other, each in the order of its keys. */
    public static Passage oneByOne(List<Range> ranges) {
        return new Passage(ranges, false);
    }

    /** Returns a pass through positional ranges at once, in the order of positions (M-14). */
    public static Passage sideBySide(List<Range> ranges) {
        return new Passage(ranges, true);
    }

    /** The fate of a shown event. */
    public enum Outcome {
        /** The event lies where it did. */
        STAYS,
        /** The event is gone from its place. */
        GONE,
        /** The event lies where it did and is not passed: the pass ends here. */
        END
    }

    /**
     * Receives the events, and spends the budget of the slice. It may remove the shown event, but must not change any
     * other: the next events have been read already, and law 4 would not hold for an event that comes below.
     */
    public interface Visitor {

        Outcome visit(Range range, Bytes key, byte[] value);
    }

    /** Returns the ranges of the pass. */
    List<Range> ranges() {
        return ranges;
    }

    /** Returns true if all events have been shown. */
    boolean isDone() {
        return current == ranges.size();
    }

    /** Returns the number of events of the range before the cursor. */
    public long behind(Range range) {
        return behind[range.ordinalOfEvents()];
    }

    /** Returns true if an event at this place has been passed. */
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

    /** Notes that an event has come to this place (1) or has left it (-1). */
    public void note(int sid, Location location, String id, int sign) {
        if (isBehind(sid, location, id)) {
            behind[location.range().ordinalOfEvents()] += sign;
        }
    }

    /**
     * Shows events until the budget is spent.
     *
     * @return true if all events have been shown or the visitor has ended the pass; false if the budget ended the
     *     slice, or the extent counts events that are missing and was notified of that
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

    /** Shows the events; returns true if the visitor has ended the pass. */
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

    /** Writes the progress for {@link #decodeOneByOne}; only for a pass that is one by one and receives no changes. */
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
