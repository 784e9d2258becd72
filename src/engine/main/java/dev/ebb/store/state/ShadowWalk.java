package dev.ebb.store.state;

import dev.ebb.store.layout.Range;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Progress of walks through an execution of a shadow. Nothing is taken out of the store, so a walk meets again what
 * counts as deleted, and the next slice must begin behind it. Not thread-safe.
 */
public final class ShadowWalk {

    /** Number of events that no walk has passed, by range. */
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

    /** The start of the deadlines that no walk has seen; null if none has seen any. */
    public @Nullable Bytes dueCursor() {
        return dueCursor;
    }

    /** Notes that the next slice begins behind that deadline. */
    public void passDeadline(Bytes key) {
        dueCursor = Bytes.wrap(Arrays.copyOf(key.get(), key.get().length + 1));
    }

    /** Passed deadlines that were read and have not been looked at; null if there are none. */
    public @Nullable SliceMemory deadlines() {
        return deadlines;
    }

    /** Keeps the deadlines that were read for the next slice; null if none are left. */
    public void keepDeadlines(@Nullable SliceMemory left) {
        deadlines = left;
    }
}
