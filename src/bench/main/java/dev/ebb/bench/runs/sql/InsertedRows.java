package dev.ebb.bench.runs.sql;

import dev.ebb.bench.stack.sql.MirrorChanges.Change;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Upserts in one batch and deletes in another, as the driver's manual recommends. */
final class InsertedRows implements RowWriter {

    private static final String UPSERT = """
            INSERT INTO event (stored_at, stream, event_id, namespace, type, status, terminal, occurred_at, completed_at,
                no_expiration, execution, content_type, metadata, payload, size_bytes)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, false, 0, ?, '{}', ?, ?)
            ON CONFLICT (stored_at, stream, event_id) DO UPDATE SET namespace = EXCLUDED.namespace, type = EXCLUDED.type,
                status = EXCLUDED.status, terminal = EXCLUDED.terminal, occurred_at = EXCLUDED.occurred_at,
                completed_at = EXCLUDED.completed_at, content_type = EXCLUDED.content_type,
                metadata = EXCLUDED.metadata, payload = EXCLUDED.payload, size_bytes = EXCLUDED.size_bytes""";

    private static final String DELETE = "DELETE FROM event WHERE stored_at = ? AND stream = ? AND event_id = ?";

    @Override
    public String name() {
        return "batched INSERT";
    }

    @Override
    public void write(Connection connection, List<Change> upserts, List<Change> deletes) throws SQLException {
        try (PreparedStatement upsert = connection.prepareStatement(UPSERT);
                PreparedStatement delete = connection.prepareStatement(DELETE)) {
            for (Change change : upserts) {
                add(upsert, change);
            }
            for (Change change : deletes) {
                add(delete, change);
            }
            upsert.executeBatch();
            delete.executeBatch();
        }
    }

    private static void add(PreparedStatement statement, Change change) throws SQLException {
        StoredEvent stored = change.event();
        Event event = stored.event();
        statement.setTimestamp(1, new Timestamp(stored.storedAt()));
        statement.setString(2, event.stream().value());
        statement.setString(3, event.id().value());
        if (!change.isDelete()) {
            statement.setString(4, event.stream().namespace());
            statement.setString(5, event.type());
            statement.setString(6, event.status());
            statement.setBoolean(7, !stored.isProtected());
            setTime(statement, 8, event.occurredAt());
            setTime(statement, 9, event.completedAt());
            statement.setString(10, event.contentType());
            statement.setBytes(11, event.payload());
            statement.setLong(12, stored.sizeBytes());
        }
        statement.addBatch();
    }

    private static void setTime(PreparedStatement statement, int index, @Nullable Long timeMs) throws SQLException {
        if (timeMs == null) {
            statement.setNull(index, Types.TIMESTAMP_WITH_TIMEZONE);
        } else {
            statement.setTimestamp(index, new Timestamp(timeMs));
        }
    }
}
