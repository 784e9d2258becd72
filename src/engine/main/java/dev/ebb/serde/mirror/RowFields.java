package dev.ebb.serde.mirror;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes the fields of a key or a row, one after the other in the order of its table; a null is a field that the row has
 * not. Equal fields are equal bytes. Starts anew after {@link #toBytes()}; not thread-safe.
 */
interface RowFields {

    RowFields text(byte[] name, @Nullable String value);

    RowFields number(byte[] name, @Nullable Long value);

    RowFields truth(byte[] name, @Nullable Boolean value);

    /** A time in epoch milliseconds; times before 1970 or after 9999 become the nearest one inside. */
    RowFields time(byte[] name, @Nullable Long epochMs);

    /** Any time that a row may have which was made by hand; one that an event may have is written as its time. */
    RowFields anyTime(byte[] name, Instant value);

    RowFields bytes(byte[] name, byte[] value);

    /** A JSON object of texts; sorted, since a map has no order that lasts. */
    RowFields object(byte[] name, Map<String, String> texts);

    /** Ends the fields of the key, which not every form repeats in the row. */
    RowFields endKey();

    /** Starts again with nothing, whatever was written. */
    RowFields clear();

    /** The fields so far; later ones belong to the next key or row. */
    byte[] toBytes();
}
