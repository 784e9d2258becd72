package dev.ebb.sink;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A table in the description of the database, so that the migrations alone define the columns.
 *
 * @param name the name, quoted
 * @param columns the columns that rows have values for: all except those that the database fills itself
 * @param key the columns of the primary key, in its order
 */
record DescribedTable(String name, List<Column> columns, List<Column> key) {

    /** Places in the key of a table of events. */
    static final int TIME = 0;

    static final int STREAM = 1;
    static final int ID = 2;

    private static final String COLUMNS = """
            SELECT a.attname, t.typname, coalesce(array_position(k.conkey, a.attnum), 0), format('%I', c.relname)
            FROM pg_class c
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND NOT a.atthasdef
                    AND a.attidentity = ''
                JOIN pg_type t ON t.oid = a.atttypid
                LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
            WHERE c.oid = to_regclass(?)
            ORDER BY a.attnum""";

    DescribedTable {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
    }

    /**
     * A column.
     *
     * @param name the name, not quoted
     */
    record Column(String name, ColumnType type) {

        String quoted() {
            return '"' + name.replace("\"", "\"\"") + '"';
        }
    }

    private record KeyColumn(int place, Column column) {}

    /**
     * Reads the description of a table.
     *
     * @throws SinkTableException if the table does not exist, or a sink cannot write it
     * @throws SQLException if the database cannot be read
     */
    static DescribedTable read(Connection connection, String name) throws SQLException {
        String found = name;
        List<Column> columns = new ArrayList<>();
        List<KeyColumn> key = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Column column = column(name, rows.getString(1), rows.getString(2));
                    columns.add(column);
                    if (rows.getInt(3) > 0) {
                        key.add(new KeyColumn(rows.getInt(3), column));
                    }
                    found = rows.getString(4);
                }
            }
        }
        if (columns.isEmpty()) {
            throw new SinkTableException("there is no table " + name + " yet: Ebb makes it when it starts");
        }
        if (key.isEmpty()) {
            throw new SinkTableException("the table " + name + " has no primary key");
        }
        key.sort(Comparator.comparingInt(KeyColumn::place));
        return new DescribedTable(
                found, columns, key.stream().map(KeyColumn::column).toList());
    }

    private static Column column(String table, String name, String type) {
        return new Column(
                name,
                ColumnType.of(type)
                        .orElseThrow(() -> new SinkTableException("the column " + name + " of the table " + table
                                + " has the type " + type + ", which the mirror does not write")));
    }

    /** Returns the places of the columns, by name. */
    Map<String, Integer> places() {
        Map<String, Integer> places = new HashMap<>();
        columns.forEach(column -> places.put(column.name(), places.size()));
        return places;
    }

    /** Returns the statement that takes rows in the binary form of COPY. */
    String copy() {
        return "COPY " + name + " (" + names(columns) + ") FROM STDIN (FORMAT binary)";
    }

    /** Returns the statement that deletes the rows of some keys; each column of the keys is an array. */
    String delete() {
        return "DELETE FROM " + name + " t USING unnest(" + arrays() + ") k (" + names(key) + ") WHERE " + sameKey();
    }

    /** Returns the statement that finds those of some keys that have rows; each column of the keys is an array. */
    String existing() {
        return "SELECT k.n FROM unnest(" + arrays() + ") WITH ORDINALITY k (" + names(key) + ", n) JOIN " + name
                + " t ON " + sameKey();
    }

    private String arrays() {
        return key.stream()
                .map(column -> "?::" + column.type().sqlName() + "[]")
                .collect(Collectors.joining(", "));
    }

    private String sameKey() {
        return key.stream()
                .map(column -> "t." + column.quoted() + " = k." + column.quoted())
                .collect(Collectors.joining(" AND "));
    }

    /** Returns true if the key is that of events, so that the rows of a stream are ranges of time in an index. */
    boolean hasRuns() {
        return key.stream()
                .map(Column::type)
                .toList()
                .equals(List.of(ColumnType.TIME, ColumnType.TEXT, ColumnType.TEXT));
    }

    /**
     * Returns the statement that deletes rows of one stream if its range of time holds fewer rows than a limit.
     * Parameters: arrays of the times and ids; the stream and twice an array of the first and the last time; these three
     * again; twice the limit.
     */
    String deleteRun() {
        String time = key.get(TIME).quoted();
        String id = key.get(ID).quoted();
        String ofRun = " WHERE t." + key.get(STREAM).quoted() + " = ? AND t." + time
                + " BETWEEN (?::timestamptz[])[1] AND (?::timestamptz[])[2]";
        return "DELETE FROM " + name + " t USING unnest(?::timestamptz[], ?::text[]) k (at, id)" + ofRun
                + " AND t." + time + " = k.at AND t." + id + " = k.id AND (SELECT count(*) FROM (SELECT FROM " + name
                + " t"
                + ofRun + " LIMIT ?) most) < ?";
    }

    private static String names(List<Column> columns) {
        return columns.stream().map(Column::quoted).collect(Collectors.joining(", "));
    }
}
