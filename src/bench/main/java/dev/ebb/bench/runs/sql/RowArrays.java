package dev.ebb.bench.runs.sql;

import dev.ebb.bench.stack.sql.MirrorChanges.Change;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Changes as arrays, one for each column, for {@code unnest}. */
final class RowArrays {

    /** Deletes rows by arrays of their key columns. */
    static final String DELETE = """
            DELETE FROM event AS row USING unnest(?::timestamptz[], ?::text[], ?::text[]) AS gone (stored_at, stream, event_id)
            WHERE row.stored_at = gone.stored_at AND row.stream = gone.stream AND row.event_id = gone.event_id""";

    private final Connection connection;
    private final List<Change> changes;

    RowArrays(Connection connection, List<Change> changes) {
        this.connection = connection;
        this.changes = changes;
    }

    /** Deletes the rows of the changes with one statement. */
    static void delete(Connection connection, List<Change> changes) throws SQLException {
        if (changes.isEmpty()) {
            return;
        }
        try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
            new RowArrays(connection, changes).putKeys(delete);
            delete.executeUpdate();
        }
    }

    /** Sets the first three parameters to the columns of the key. */
    void putKeys(PreparedStatement statement) throws SQLException {
        put(statement, 1, "timestamptz", change -> new Timestamp(change.event().storedAt()));
        put(statement, 2, "text", change -> change.event().event().stream().value());
        put(statement, 3, "text", change -> change.event().event().id().value());
    }

    /** Sets a parameter to a column. */
    void put(PreparedStatement statement, int parameter, String type, Function<Change, @Nullable Object> column)
            throws SQLException {
        Object[] values = changes.stream().map(column).toArray();
        statement.setArray(parameter, connection.createArrayOf(type, values));
    }

    void putPayloads(PreparedStatement statement, int parameter) throws SQLException {
        byte[][] payloads =
                changes.stream().map(change -> change.event().event().payload()).toArray(byte[][]::new);
        statement.setArray(parameter, connection.createArrayOf("bytea", payloads));
    }
}
