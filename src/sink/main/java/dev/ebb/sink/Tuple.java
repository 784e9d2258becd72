package dev.ebb.sink;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Values of one row or key, each with its length before it, added in any order. Not thread-safe. */
final class Tuple {

    private final CopyBuffer values = new CopyBuffer();
    private final int[] begins;
    private final int[] ends;

    /** @param columns the number of columns of the table */
    Tuple(int columns) {
        begins = new int[columns];
        ends = new int[columns];
    }

    void clear() {
        values.truncate(0);
        Arrays.fill(ends, 0);
    }

    /** Begins the value of the column at that place: all that is written next belongs to it. */
    CopyBuffer begin(int place) {
        begins[place] = values.length();
        return values;
    }

    void end(int place) {
        ends[place] = values.length();
    }

    boolean has(int place) {
        return ends[place] > 0;
    }

    /** Appends the value at that place, or a null if it has none. */
    void writeValue(int place, CopyBuffer out) {
        if (has(place)) {
            out.put(values.array(), begins[place], ends[place] - begins[place]);
        } else {
            out.putNull();
        }
    }

    /** Returns the value at that place as a number of eight bytes; there must be one. */
    long number(int place) {
        return ByteBuffer.wrap(values.array()).getLong(begins[place] + Integer.BYTES);
    }

    /** Returns the value at that place as JSON; there must be one. */
    String json(int place, ColumnType type) {
        int begin = begins[place] + Integer.BYTES;
        return type.json(ByteBuffer.wrap(values.array(), begin, ends[place] - begin));
    }

    /** Appends all values in the form of COPY. */
    void write(CopyBuffer out) {
        out.putShort(begins.length);
        for (int place = 0; place < begins.length; place++) {
            writeValue(place, out);
        }
    }
}
