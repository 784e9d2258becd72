package dev.ebb.sink;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.connect.errors.ConnectException;

/** Reads keys and rows without names: the setting of the connector names the columns, those of the key first. */
final class CompactForm {

    private static final int NONE = -1;

    private final DescribedTable table;
    private final List<String> columns;
    private final int[] places;
    private final Consumer<String> lacks;

    /**
     * @param columns the columns in the order of the values; empty if the connector names none
     * @param lacks told the columns that the table does not have, unless their values are null
     */
    CompactForm(DescribedTable table, List<String> columns, Consumer<String> lacks) {
        this.table = table;
        this.lacks = lacks;
        this.columns = List.copyOf(columns);
        Map<String, Integer> byName = table.places();
        this.places = columns.stream()
                .mapToInt(name -> byName.getOrDefault(name, NONE))
                .toArray();
    }

    /** Reads a row that is split into its key and the rest; a row of an older version may have fewer columns. */
    void read(byte[] key, byte[] row, Tuple tuple) throws BadRowException {
        read(row, read(key, 0, tuple), tuple);
    }

    void readKey(byte[] key, Tuple tuple) throws BadRowException {
        read(key, 0, tuple);
    }

    /** Returns the number of the first column that was not read. */
    private int read(byte[] part, int first, Tuple tuple) throws BadRowException {
        int column = first;
        CompactValues values = new CompactValues(part);
        while (values.next()) {
            requireName(column);
            int place = places[column];
            if (values.isNull()) {
                column++;
                continue;
            }
            if (place == NONE) {
                lacks.accept(columns.get(column));
            } else {
                table.columns().get(place).type().write(values, tuple.begin(place));
                tuple.end(place);
            }
            column++;
        }
        return column;
    }

    /**
     * Throws if the column has no name. The setting is at fault then, not the row, so that the row is not set aside.
     */
    private void requireName(int column) {
        if (columns.isEmpty()) {
            throw new ConnectException(
                    "the records of the table " + table.name() + " are compact, and the connector has no"
                            + " setting columns: take it from config/connect/ebb, or set mirror.format=json");
        }
        if (column == columns.size()) {
            throw new ConnectException("the records of the table " + table.name() + " have more values than the setting"
                    + " columns of the connector names: it is older than the application");
        }
    }
}
