package dev.ebb.sink;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

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

    /**
     * A column of a table of events, which may be older than the events.
     *
     * @param place its place in the table; negative if the table has no such column
     * @param lacks told the name of a column that the table does not have, for each value that is left out
     */
    record Column(String name, int place, Consumer<String> lacks) {

        private static final int JSONB_FORMAT = 1;
        private static final int NO_PLACE = -1;

        static Function<String, Column> of(DescribedTable table, Consumer<String> lacks) {
            Map<String, Integer> places = table.places();
            return name -> new Column(name, places.getOrDefault(name, NO_PLACE), lacks);
        }

        private boolean isThere() {
            if (place < 0) {
                lacks.accept(name);
            }
            return place >= 0;
        }

        /** Writes a number, or a time in microseconds since 2000. */
        void write(long value, Tuple tuple) {
            if (isThere()) {
                tuple.begin(place).putInt(Long.BYTES).putLong(value);
                tuple.end(place);
            }
        }

        void writeTruth(boolean value, Tuple tuple) {
            if (isThere()) {
                tuple.begin(place).putInt(1).putByte(value ? 1 : 0);
                tuple.end(place);
            }
        }

        void writeText(byte[] text, int from, int to, Tuple tuple) {
            if (isThere()) {
                CopyBuffer out = tuple.begin(place);
                int begin = out.putInt(0).length();
                LogBytes.writeText(text, from, to, out);
                out.setLengthBefore(begin);
                tuple.end(place);
            }
        }

        void readText(LogBytes in, Tuple tuple) throws BadRowException {
            if (isThere()) {
                in.writeText(tuple.begin(place));
                tuple.end(place);
            } else {
                in.skipBytes();
            }
        }

        void readBytes(LogBytes in, Tuple tuple) throws BadRowException {
            if (isThere()) {
                in.writeBytes(tuple.begin(place));
                tuple.end(place);
            } else {
                in.skipBytes();
            }
        }

        /** Reads texts, each with its name before it, as an object of JSON. */
        void readObject(LogBytes in, Tuple tuple) throws BadRowException {
            long size = in.readSize();
            if (!isThere()) {
                for (long i = 0; i < size; i++) {
                    in.skipBytes();
                    in.skipBytes();
                }
                return;
            }
            CopyBuffer out = tuple.begin(place);
            int begin = out.putInt(0).length();
            out.putByte(JSONB_FORMAT).putByte('{');
            for (long i = 0; i < size; i++) {
                if (i > 0) {
                    out.putByte(',');
                }
                in.writeQuoted(out);
                out.putByte(':');
                in.writeQuoted(out);
            }
            out.putByte('}').setLengthBefore(begin);
            tuple.end(place);
        }
    }
}
