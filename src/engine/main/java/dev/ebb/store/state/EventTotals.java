package dev.ebb.store.state;

import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Range;
import java.util.Arrays;

/** The number and size of events, by range. Not thread-safe. */
public final class EventTotals {

    private static final int RANGES = Range.OF_EVENTS.size();

    /** The numbers of events by range, then their bytes: one array, since each execution has such totals. */
    private final long[] figures = new long[2 * RANGES];

    private long wishes;

    /** Counts an event in or out. */
    public void add(Location location, int sign) {
        add(location.range(), sign, sign * location.sizeBytes());
        wishes += location.isWish() ? sign : 0;
    }

    /** Adds events and bytes to the range; negative figures subtract. */
    public void add(Range range, long events, long bytes) {
        figures[range.ordinalOfEvents()] += events;
        figures[RANGES + range.ordinalOfEvents()] += bytes;
    }

    /** Adds (1) or subtracts (-1) all events of other totals. */
    void add(EventTotals other, int sign) {
        for (int i = 0; i < figures.length; i++) {
            figures[i] += sign * other.figures[i];
        }
        wishes += sign * other.wishes;
    }

    /** Returns the number of events in the range. */
    public long count(Range range) {
        return figures[range.ordinalOfEvents()];
    }

    /** Returns the bytes of the events in the range. */
    public long bytes(Range range) {
        return figures[RANGES + range.ordinalOfEvents()];
    }

    /** Returns the number of all events. */
    public long events() {
        return sum(0);
    }

    /** Returns the bytes of all events. */
    public long bytes() {
        return sum(RANGES);
    }

    private long sum(int first) {
        return figures[first] + figures[first + 1] + figures[first + 2] + figures[first + 3];
    }

    /**
     * Returns the number of ordered events whose producer asked for no expiration where the policy does not allow it.
     */
    public long wishes() {
        return wishes;
    }

    void addWishes(long more) {
        wishes += more;
    }

    /** Returns true if both totals are equal. */
    public boolean agreeWith(EventTotals other) {
        return wishes == other.wishes && Arrays.equals(figures, other.figures);
    }

    /** Writes everything except the wishes. */
    void encode(ByteWriter out) {
        for (int i = 0; i < RANGES; i++) {
            out.writeVarLong(figures[i]).writeVarLong(figures[RANGES + i]);
        }
    }

    /** Reads the output of {@link #encode}; the wishes remain 0 until the caller adds them. */
    static EventTotals decode(ByteReader in) {
        EventTotals totals = new EventTotals();
        for (int i = 0; i < RANGES; i++) {
            totals.figures[i] = in.readVarLong();
            totals.figures[RANGES + i] = in.readVarLong();
        }
        return totals;
    }
}
