package dev.ebb.store.index;

import dev.ebb.store.layout.UsageKeys;

/** A trait of streams by which they are found without a look at all others. */
public enum Mark {
    /** The events are moving into another arrangement. */
    MOVING(UsageKeys.MOVING),
    /** An execution is not terminal. */
    WORKING(UsageKeys.WORKING),
    /** Nothing is deleted until an operator has looked at the stream. */
    QUARANTINED(UsageKeys.QUARANTINED),
    /** Sweeps only report what they would delete. */
    WARNED(UsageKeys.WARNED),
    /** SQL has no rows of the stream, or loses them (F-13). */
    UNMIRRORED(UsageKeys.UNMIRRORED);

    private final byte kind;

    Mark(byte kind) {
        this.kind = kind;
    }

    byte kind() {
        return kind;
    }

    /** Returns the bit of the mark in the sum of marks of a stream. */
    public int bit() {
        return 1 << ordinal();
    }
}
