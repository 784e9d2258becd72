package dev.ebb.sink;

import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A column of a table of events, which may be older than the events.
 *
 * @param place its place in the table; negative if the table has no such column
 * @param lacks told the name of a column that the table does not have, for each value that is left out
 */
record EventColumn(String name, int place, Consumer<String> lacks) {

    private static final int JSONB_FORMAT = 1;
    private static final int NO_PLACE = -1;

    static Function<String, EventColumn> of(DescribedTable table, Consumer<String> lacks) {
        Map<String, Integer> places = table.places();
        return name -> new EventColumn(name, places.getOrDefault(name, NO_PLACE), lacks);
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
