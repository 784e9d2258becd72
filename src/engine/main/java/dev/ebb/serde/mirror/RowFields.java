package dev.ebb.serde.mirror;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A writer of the fields of a key or a row, in the order of the table; null stands for a missing field. Equal fields
 * are equal bytes. Starts again after {@link #toBytes()}; not thread-safe.
 */
interface RowFields {

    RowFields text(byte[] name, @Nullable String value);

    RowFields number(byte[] name, @Nullable Long value);

    RowFields truth(byte[] name, @Nullable Boolean value);

    /** Writes a time in epoch milliseconds; a time before 1970 or after 9999 becomes the nearest one inside. */
    RowFields time(byte[] name, @Nullable Long epochMs);

    /**
     * Writes any time that a row made by hand may have; a time that an event may have is written as in {@link #time}.
     */
    RowFields anyTime(byte[] name, Instant value);

    RowFields bytes(byte[] name, byte[] value);

    /** Writes a JSON object of texts, sorted, since the order of a map is not stable. */
    RowFields object(byte[] name, Map<String, String> texts);

    /** Ends the fields of the key, which not every form repeats in the row. */
    RowFields endKey();

    /** Discards everything written so far. */
    RowFields clear();

    /** Returns the fields so far; later ones belong to the next key or row. */
    byte[] toBytes();
}
