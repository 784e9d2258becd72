package dev.ebb.bench.runs.sql;

import dev.ebb.bench.stack.sql.MirrorChanges.Change;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One statement for all upserts and one for all deletes, each with an array for every column. */
final class UnnestedRows implements RowWriter {

    private static final String UPSERT = """
            INSERT INTO event (stored_at, stream, event_id, namespace, type, status, terminal, occurred_at, completed_at,
                no_expiration, execution, content_type, metadata, payload, size_bytes)
            SELECT stored_at, stream, event_id, namespace, type, status, terminal, occurred_at, completed_at, false, 0,
                content_type, '{}'::jsonb, payload, size_bytes
            FROM unnest(?::timestamptz[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::boolean[],
                ?::timestamptz[], ?::timestamptz[], ?::text[], ?::bytea[], ?::bigint[])
                AS row (stored_at, stream, event_id, namespace, type, status, terminal, occurred_at, completed_at,
                content_type, payload, size_bytes)
            ON CONFLICT (stored_at, stream, event_id) DO UPDATE SET namespace = EXCLUDED.namespace, type = EXCLUDED.type,
                status = EXCLUDED.status, terminal = EXCLUDED.terminal, occurred_at = EXCLUDED.occurred_at,
                completed_at = EXCLUDED.completed_at, content_type = EXCLUDED.content_type,
                metadata = EXCLUDED.metadata, payload = EXCLUDED.payload, size_bytes = EXCLUDED.size_bytes""";

    @Override
    public String name() {
        return "UNNEST";
    }

    @Override
    public void write(Connection connection, List<Change> upserts, List<Change> deletes) throws SQLException {
        try (PreparedStatement upsert = connection.prepareStatement(UPSERT)) {
            RowArrays rows = new RowArrays(connection, upserts);
            rows.putKeys(upsert);
            putValues(rows, upsert);
            upsert.executeUpdate();
        }
        RowArrays.delete(connection, deletes);
    }

    private static void putValues(RowArrays rows, PreparedStatement upsert) throws SQLException {
        rows.put(upsert, 4, "text", change -> change.event().event().stream().namespace());
        rows.put(upsert, 5, "text", change -> change.event().event().type());
        rows.put(upsert, 6, "text", change -> change.event().event().status());
        rows.put(upsert, 7, "boolean", change -> !change.event().isProtected());
        rows.put(upsert, 8, "timestamptz", change -> time(change.event().event().occurredAt()));
        rows.put(upsert, 9, "timestamptz", change -> time(change.event().event().completedAt()));
        rows.put(upsert, 10, "text", change -> change.event().event().contentType());
        rows.putPayloads(upsert, 11);
        rows.put(upsert, 12, "bigint", change -> change.event().sizeBytes());
    }

    private static @Nullable Timestamp time(@Nullable Long timeMs) {
        return timeMs == null ? null : new Timestamp(timeMs);
    }
}
