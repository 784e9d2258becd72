package dev.ebb.sink;

import dev.ebb.sink.Batch.Row;
import java.util.List;

/** Converts rows and keys of any form to the form of the database. Not thread-safe. */
final class RowEncoder {

    private final Table table;
    private final JsonForm json;
    private final CompactForm compact;
    private final Tuple tuple;

    /** @param columns the columns of compact rows, in order */
    RowEncoder(Table table, List<String> columns) {
        this.table = table;
        this.json = new JsonForm(table);
        this.compact = new CompactForm(table, columns);
        this.tuple = new Tuple(table.columns().size());
    }

    Table table() {
        return table;
    }

    /** Returns true if the table has a column for each field of the row. */
    boolean knowsAllOf(byte[] row) throws BadRowException {
        return CompactValues.isCompact(row) ? compact.isComplete() : json.knowsAllOf(row);
    }

    /**
     * Appends a row as a tuple of COPY.
     *
     * @throws BadRowException if the row is no row of the table; nothing is appended then
     */
    void encode(Row row, CopyBuffer out) throws BadRowException {
        tuple.clear();
        if (CompactValues.isCompact(row.value())) {
            compact.read(row.key(), row.value(), tuple);
        } else {
            json.read(row.value(), tuple);
        }
        tuple.write(out);
    }

    /**
     * Returns the keys as arrays, one for each column of the primary key.
     *
     * @throws BadRowException if one of them is no key of the table
     */
    KeyArrays arrays(List<byte[]> keys) throws BadRowException {
        KeyArrays arrays = new KeyArrays(table, keys.size());
        for (byte[] key : keys) {
            tuple.clear();
            if (CompactValues.isCompact(key)) {
                compact.readKey(key, tuple);
            } else {
                json.read(key, tuple);
            }
            arrays.add(tuple);
        }
        return arrays;
    }
}
