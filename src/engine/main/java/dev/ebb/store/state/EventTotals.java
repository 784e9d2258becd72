package dev.ebb.store.state;

import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Range;
import java.util.Arrays;

/** Number and size of events, by range. Not thread-safe. */
public final class EventTotals {

    private static final int RANGES = Range.OF_EVENTS.size();

    /** The numbers of events by range, and then their bytes: one array, since each execution has such totals. */
    private final long[] figures = new long[2 * RANGES];

    private long wishes;

    /** Counts an event in or out. */
    public void add(Location location, int sign) {
        add(location.range(), sign, sign * location.sizeBytes());
        wishes += location.isWish() ? sign : 0;
    }

    /** Counts in so many events of the range; fewer than none count out. */
    public void add(Range range, long events, long bytes) {
        figures[range.ordinalOfEvents()] += events;
        figures[RANGES + range.ordinalOfEvents()] += bytes;
    }

    /** Counts in or out all events of other totals. */
    void add(EventTotals other, int sign) {
        for (int i = 0; i < figures.length; i++) {
            figures[i] += sign * other.figures[i];
        }
        wishes += sign * other.wishes;
    }

    /** The number of events in the range. */
    public long count(Range range) {
        return figures[range.ordinalOfEvents()];
    }

    /** The bytes of the events in the range. */
    public long bytes(Range range) {
        return figures[RANGES + range.ordinalOfEvents()];
    }

    /** The number of all events. */
    public long events() {
        return sum(0);
    }

    /** The bytes of all events. */
    public long bytes() {
        return sum(RANGES);
    }

    private long sum(int first) {
        return figures[first] + figures[first + 1] + figures[first + 2] + figures[first + 3];
    }

    /** Number of ordered events whose producer asked for no expiration where the policy does not allow it. */
    public long wishes() {
        return wishes;
    }

    void addWishes(long more) {
        wishes += more;
    }

    /** Returns true if these totals and the other ones are the same. */
    public boolean agreeWith(EventTotals other) {
        return wishes == other.wishes && Arrays.equals(figures, other.figures);
    }

    /** Writes all but the wishes. */
    void encode(ByteWriter out) {
        for (int i = 0; i < RANGES; i++) {
            out.writeVarLong(figures[i]).writeVarLong(figures[RANGES + i]);
        }
    }

    /** Reads what {@link #encode} wrote, and the wishes, which are known by themselves. */
    static EventTotals decode(ByteReader in) {
        EventTotals totals = new EventTotals();
        for (int i = 0; i < RANGES; i++) {
            totals.figures[i] = in.readVarLong();
            totals.figures[RANGES + i] = in.readVarLong();
        }
        return totals;
    }
}
