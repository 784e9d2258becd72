package dev.ebb.store.state;

import dev.ebb.store.layout.Range;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Progress of walks through an execution of a shadow. Nothing is removed from the store, so a walk meets events again
 * that count as deleted, and the next slice must begin after them. Not thread-safe.
 */
public final class ShadowWalk {

    /** The number of events that no walk has passed, by range. */
    private final long[] unwalked = new long[Range.OF_EVENTS.size()];

    private @Nullable Bytes dueCursor;

    private @Nullable SliceMemory deadlines;

    ShadowWalk(EventTotals totals) {
        Range.OF_EVENTS.forEach(range -> unwalked[range.ordinalOfEvents()] = totals.count(range));
    }

    long unwalked(Range range) {
        return unwalked[range.ordinalOfEvents()];
    }

    void walked(Range range) {
        unwalked[range.ordinalOfEvents()]--;
    }

    /** Returns the first key of the deadlines that no walk has seen; null if no walk has seen any. */
    public @Nullable Bytes dueCursor() {
        return dueCursor;
    }

    /** Notes that the next slice begins after this deadline. */
    public void passDeadline(Bytes key) {
        dueCursor = Bytes.wrap(Arrays.copyOf(key.get(), key.get().length + 1));
    }

    /** Returns passed deadlines that were read but not yet examined; null if there are none. */
    public @Nullable SliceMemory deadlines() {
        return deadlines;
    }

    /** Keeps deadlines that were read for the next slice; null if none are left. */
    public void keepDeadlines(@Nullable SliceMemory left) {
        deadlines = left;
    }
}
