package dev.ebb.store.rocks;

import java.util.function.LongSupplier;

/** The ends of the log of a store. Thread-safe. */
public interface LogEnds {

    /** Returns the offset of the last record that is known to be committed; negative if none is. */
    long end();

    /**
     * Returns true if the log should be made shorter: it has many more records than are stored, or its first one is too
     * old, and it has not been covered.
     *
     * @param live the number of records that are stored
     */
    boolean isLong(LongSupplier live);

    /**
     * Notes that the log before this offset can be cut off: all that was stored then, and still is, stands behind it as
     * well, and is committed.
     */
    void cover(long before);
}
