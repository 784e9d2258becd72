package dev.ebb.sink;

import dev.ebb.sink.Batch.Row;
import dev.ebb.sink.DescribedTable.Column;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Converts rows and keys of any form to the form of the database. Not thread-safe. */
final class RowEncoder {

    /** Most fields without a column that are named. */
    private static final int MOST_NAMED = 8;

    /** Longest name of a column in PostgreSQL. */
    private static final int LONGEST_NAME = 63;

    private final DescribedTable table;
    private final JsonForm json;
    private final EventForm events;
    private final Tuple tuple;

    /** The place of the first time in the key; negative if keys have none. */
    private final int timePlace;

    /** Fields of rows and keys for which the table has no column, as far as they are kept. */
    private final Set<String> lacking = new TreeSet<>();

    RowEncoder(DescribedTable table) {
        this.table = table;
        this.json = new JsonForm(table, this::lacks);
        this.events = new EventForm(table, this::lacks);
        this.tuple = new Tuple(table.columns().size());
        this.timePlace = table.key().stream()
                .filter(column -> column.type() == ColumnType.TIME)
                .mapToInt(column -> table.places().getOrDefault(column.name(), -1))
                .findFirst()
                .orElse(-1);
    }

    DescribedTable table() {
        return table;
    }

    /** Returns fields that were left out, because the table has no column for them; may be cleared. */
    Set<String> lacking() {
        return lacking;
    }

    private void lacks(String field) {
        if (lacking.size() < MOST_NAMED) {
            lacking.add(field.length() > LONGEST_NAME ? field.substring(0, LONGEST_NAME) : field);
        }
    }

    /**
     * Appends a row as a tuple of COPY.
     *
     * @throws BadRowException if the row is no row of the table; nothing is appended then
     */
    void encode(Row row, CopyBuffer out) throws BadRowException {
        tuple.clear();
        if (EventForm.isKey(row.key())) {
            events.read(row.key(), row.value(), tuple);
        } else {
            json.read(row.value(), tuple);
        }
        tuple.write(out);
    }

    /** Returns the time in the key of the row that was encoded last, in the form of the database; null if it has none. */
    @Nullable
    Long time() {
        return timePlace >= 0 && tuple.has(timePlace) ? (Long) tuple.number(timePlace) : null;
    }

    /**
     * Returns the keys as arrays, one for each column of the primary key.
     *
     * @throws BadRowException if one of them is no key of the table
     */
    KeyArrays arrays(List<byte[]> keys) throws BadRowException {
        KeyArrays arrays = new KeyArrays(table, keys.size());
        for (byte[] key : keys) {
            readKey(key);
            arrays.add(tuple);
        }
        return arrays;
    }

    /**
     * Returns the name of the row with this key.
     *
     * @throws BadRowException if it is no key of the table
     */
    RowName name(byte[] key) throws BadRowException {
        readKey(key);
        CopyBuffer bytes = new CopyBuffer();
        StringBuilder text = new StringBuilder();
        Map<String, Integer> places = table.places();
        for (Column column : table.key()) {
            int place = places.getOrDefault(column.name(), 0);
            if (!tuple.has(place)) {
                throw new BadRowException("the key has no " + column.name());
            }
            tuple.writeValue(place, bytes);
            text.append(text.isEmpty() ? '{' : ',')
                    .append(JsonText.quoted(column.name()))
                    .append(':')
                    .append(tuple.json(place, column.type()));
        }
        return new RowName(
                RowName.hash(bytes.array(), bytes.length()), text.append('}').toString());
    }

    private void readKey(byte[] key) throws BadRowException {
        tuple.clear();
        if (EventForm.isKey(key)) {
            events.readKey(key, tuple);
        } else {
            json.read(key, tuple);
        }
    }
}
