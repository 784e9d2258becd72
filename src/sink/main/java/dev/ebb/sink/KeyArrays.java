package dev.ebb.sink;

import dev.ebb.sink.DescribedTable.Column;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TypeInfo;
import org.postgresql.jdbc.PgArray;

/**
 * Keys of rows to delete, as one array for each column of the primary key. The arrays are binary (the function {@code
 * array_recv}): their values have the form of COPY, and the server parses no texts.
 */
final class KeyArrays {

    private static final int DIMENSIONS = 1;
    private static final int WITHOUT_NULLS = 0;
    private static final int FIRST_INDEX = 1;

    private final DescribedTable table;
    private final int size;
    private final int[] places;
    private final List<CopyBuffer> elements = new ArrayList<>();

    /** @param size the number of keys that will be added */
    KeyArrays(DescribedTable table, int size) {
        this.table = table;
        this.size = size;
        Map<String, Integer> byName = table.places();
        this.places = table.key().stream()
                .mapToInt(column -> byName.getOrDefault(column.name(), 0))
                .toArray();
        table.key().forEach(column -> elements.add(new CopyBuffer()));
    }

    void add(Tuple key) throws BadRowException {
        for (int i = 0; i < places.length; i++) {
            if (!key.has(places[i])) {
                throw new BadRowException("the key has no " + table.key().get(i).name());
            }
            key.writeValue(places[i], elements.get(i));
        }
    }

    /** Deletes the rows, as part of the current transaction of the connection. */
    void delete(Connection open) throws SQLException {
        if (size == 0) {
            return;
        }
        BaseConnection connection = open.unwrap(BaseConnection.class);
        try (PreparedStatement statement = open.prepareStatement(table.delete())) {
            for (int i = 0; i < places.length; i++) {
                statement.setArray(i + 1, array(connection, table.key().get(i), elements.get(i)));
            }
            statement.executeUpdate();
        }
    }

    private PgArray array(BaseConnection connection, Column column, CopyBuffer values) throws SQLException {
        TypeInfo types = connection.getTypeInfo();
        String type = column.type().sqlName();
        CopyBuffer array = new CopyBuffer()
                .putInt(DIMENSIONS)
                .putInt(WITHOUT_NULLS)
                .putInt(types.getPGType(type))
                .putInt(size)
                .putInt(FIRST_INDEX)
                .put(values.array(), 0, values.length());
        return new PgArray(connection, types.getPGArrayType(type), Arrays.copyOf(array.array(), array.length()));
    }
}
