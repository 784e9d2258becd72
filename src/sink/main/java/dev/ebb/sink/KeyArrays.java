package dev.ebb.sink;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.sink.DescribedTable.Column;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TypeInfo;
import org.postgresql.jdbc.PgArray;

/**
 * Keys of rows to delete, as one array for each column of the primary key. The arrays are binary (the function {@code
 * array_recv}): their values have the form of COPY, and the server parses no texts.
 *
 * <p>Many rows of one stream are one statement, which reads them as a range of time and compares only within it; this
 * takes two thirds of the time of a look-up for each key. A range that holds far more rows than are to go, and all other
 * rows, go by their keys. Either way only named rows go.
 */
final class KeyArrays {

    /** Fewer rows are not worth a statement of their own. */
    private static final int LEAST_OF_RUN = 32;

    /** Rows of the range for each row that is to go from which on the keys are cheaper. */
    private static final int MOST_READ = 2;

    /** The first parameters of the two ranges in {@link DescribedTable#deleteRun}. */
    private static final List<Integer> FIRST_OF_RANGES = List.of(3, 6);

    private static final int DIMENSIONS = 1;
    private static final int WITHOUT_NULLS = 0;
    private static final int FIRST_INDEX = 1;

    private final DescribedTable table;
    private final int[] places;
    private final CopyBuffer[] elements;

    /** For each column, where the value of each key begins. */
    private final int[][] begins;

    private int size;

    /** @param most the number of keys that will be added */
    KeyArrays(DescribedTable table, int most) {
        this.table = table;
        Map<String, Integer> byName = table.places();
        this.places = table.key().stream()
                .mapToInt(column -> byName.getOrDefault(column.name(), 0))
                .toArray();
        this.elements = new CopyBuffer[places.length];
        Arrays.setAll(elements, i -> new CopyBuffer());
        this.begins = new int[places.length][most + 1];
    }

    void add(Tuple key) throws BadRowException {
        for (int i = 0; i < places.length; i++) {
            if (!key.has(places[i])) {
                throw new BadRowException("the key has no " + table.key().get(i).name());
            }
            key.writeValue(places[i], elements[i]);
            begins[i][size + 1] = elements[i].length();
        }
        size++;
    }

    /** Deletes the rows, as part of the current transaction of the connection. */
    void delete(Connection open) throws SQLException {
        List<Integer> rest = table.hasRuns()
                ? deleteRuns(open)
                : IntStream.range(0, size).boxed().toList();
        if (rest.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = open.prepareStatement(table.delete())) {
            for (int i = 0; i < places.length; i++) {
                statement.setArray(i + 1, array(open, i, rest));
            }
            statement.executeUpdate();
        }
    }

    /** Returns the numbers of those keys that have rows, counted from 0. */
    List<Integer> existing(Connection open) throws SQLException {
        List<Integer> all = IntStream.range(0, size).boxed().toList();
        List<Integer> existing = new ArrayList<>();
        try (PreparedStatement statement = open.prepareStatement(table.existing())) {
            for (int i = 0; i < places.length; i++) {
                statement.setArray(i + 1, array(open, i, all));
            }
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    existing.add((int) found.getLong(1) - 1);
                }
            }
        }
        open.commit();
        return existing;
    }

    /** Deletes the runs of streams; returns the keys that remain. */
    private List<Integer> deleteRuns(Connection open) throws SQLException {
        Map<ByteBuffer, List<Integer>> byStream = new LinkedHashMap<>();
        for (int key = 0; key < size; key++) {
            byStream.computeIfAbsent(value(DescribedTable.STREAM, key), stream -> new ArrayList<>())
                    .add(key);
        }
        List<Integer> rest = new ArrayList<>();
        List<List<Integer>> runs = new ArrayList<>();
        byStream.values().forEach(keys -> {
            if (keys.size() < LEAST_OF_RUN) {
                rest.addAll(keys);
            } else {
                runs.add(keys);
            }
        });
        if (!runs.isEmpty()) {
            deleteRuns(open, runs).forEach(rest::addAll);
        }
        return rest;
    }

    /** Returns the runs of which not all rows are gone. */
    private Collection<List<Integer>> deleteRuns(Connection open, List<List<Integer>> runs) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(table.deleteRun())) {
            for (List<Integer> run : runs) {
                Comparator<Integer> byTime = Comparator.comparingLong(
                        key -> value(DescribedTable.TIME, key).getLong());
                List<Integer> ends = List.of(Collections.min(run, byTime), Collections.max(run, byTime));
                PgArray bounds = array(open, DescribedTable.TIME, ends);
                String stream =
                        UTF_8.decode(value(DescribedTable.STREAM, run.get(0))).toString();
                statement.setArray(1, array(open, DescribedTable.TIME, run));
                statement.setArray(2, array(open, DescribedTable.ID, run));
                for (int first : FIRST_OF_RANGES) {
                    statement.setString(first, stream);
                    statement.setArray(first + 1, bounds);
                    statement.setArray(first + 2, bounds);
                }
                int most = MOST_READ * run.size();
                statement.setInt(9, most);
                statement.setInt(10, most);
                statement.addBatch();
            }
            int[] gone = statement.executeBatch();
            return IntStream.range(0, gone.length)
                    .filter(i -> gone[i] != runs.get(i).size())
                    .mapToObj(runs::get)
                    .toList();
        }
    }

    /** Returns the value of a column without its length. */
    private ByteBuffer value(int column, int key) {
        int begin = begins[column][key] + Integer.BYTES;
        return ByteBuffer.wrap(elements[column].array(), begin, begins[column][key + 1] - begin)
                .slice();
    }

    private PgArray array(Connection open, int column, List<Integer> keys) throws SQLException {
        BaseConnection connection = open.unwrap(BaseConnection.class);
        Column described = table.key().get(column);
        TypeInfo types = connection.getTypeInfo();
        String type = described.type().sqlName();
        CopyBuffer array = new CopyBuffer()
                .putInt(DIMENSIONS)
                .putInt(WITHOUT_NULLS)
                .putInt(types.getPGType(type))
                .putInt(keys.size())
                .putInt(FIRST_INDEX);
        for (int key : keys) {
            int begin = begins[column][key];
            array.put(elements[column].array(), begin, begins[column][key + 1] - begin);
        }
        return new PgArray(connection, types.getPGArrayType(type), Arrays.copyOf(array.array(), array.length()));
    }
}
