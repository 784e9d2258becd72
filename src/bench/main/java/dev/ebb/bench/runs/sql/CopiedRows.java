package dev.ebb.bench.runs.sql;

import dev.ebb.bench.stack.sql.MirrorChanges.Change;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/**
 * Binary {@code COPY} directly into the table, and one statement with binary arrays for all deletes. For rows that come
 * once: a row that comes again, as after a crash, ends the batch with an error.
 */
final class CopiedRows {

    private static final String COLUMNS = """
            stored_at, stream, event_id, namespace, type, status, terminal, occurred_at, completed_at, no_expiration, execution,
            content_type, metadata, payload, size_bytes""";
    private static final String COPY = "COPY event (" + COLUMNS + ") FROM STDIN (FORMAT binary)";
    private static final int COLUMN_COUNT = COLUMNS.split(",", -1).length;
    private static final byte[] HEADER = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0};
    private static final int TRAILER = -1;

    /** Size of a part; the server begins its work while the rest is on its way. */
    private static final int PART_BYTES = 64 * 1024;

    private static final int ROW_BYTES = 512;
    private static final int KEY_BYTES = 64;

    private static final String DELETE = """
            DELETE FROM event AS row USING unnest(?::timestamptz[], ?::text[], ?::text[]) AS gone (stored_at, stream, event_id)
            WHERE row.stored_at = gone.stored_at AND row.stream = gone.stream AND row.event_id = gone.event_id""";

    private CopiedRows() {}

    /** Writes changes within the current transaction of the connection. */
    static void write(Connection connection, List<Change> upserts, List<Change> deletes) throws SQLException {
        if (!upserts.isEmpty()) {
            copy(connection, rows(upserts));
        }
        if (!deletes.isEmpty()) {
            delete(connection, deletes);
        }
    }

    private static void copy(Connection connection, byte[] rows) throws SQLException {
        CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(COPY);
        for (int at = 0; at < rows.length; at += PART_BYTES) {
            copy.writeToCopy(rows, at, Math.min(PART_BYTES, rows.length - at));
        }
        copy.endCopy();
    }

    static byte[] rows(List<Change> upserts) {
        BinaryValues rows = new BinaryValues(upserts.size() * ROW_BYTES)
                .raw(HEADER)
                .rawInt(0)
                .rawInt(0);
        upserts.forEach(change -> append(rows, change.event()));
        return rows.rawShort(TRAILER).toBytes();
    }

    private static void append(BinaryValues rows, StoredEvent stored) {
        Event event = stored.event();
        rows.rawShort(COLUMN_COUNT)
                .time(stored.storedAt())
                .text(event.stream().value())
                .text(event.id().value())
                .text(event.stream().namespace())
                .text(event.type())
                .text(event.status())
                .truth(!stored.isProtected())
                .time(event.occurredAt())
                .time(event.completedAt())
                .truth(false)
                .number(0)
                .text(event.contentType())
                .json("{}")
                .bytes(event.payload())
                .number(stored.sizeBytes());
    }

    private static void delete(Connection connection, List<Change> deletes) throws SQLException {
        BaseConnection server = connection.unwrap(BaseConnection.class);
        try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
            byte[] times = array(
                    deletes,
                    Oid.TIMESTAMPTZ,
                    (to, change) -> to.time(change.event().storedAt()));
            delete.setArray(1, new PgArray(server, Oid.TIMESTAMPTZ_ARRAY, times));
            delete.setArray(2, texts(server, deletes, event -> event.stream().value()));
            delete.setArray(3, texts(server, deletes, event -> event.id().value()));
            delete.executeUpdate();
        }
    }

    private static PgArray texts(BaseConnection server, List<Change> changes, Function<Event, String> text)
            throws SQLException {
        byte[] array = array(
                changes,
                Oid.TEXT,
                (to, change) -> to.text(text.apply(change.event().event())));
        return new PgArray(server, Oid.TEXT_ARRAY, array);
    }

    /** Returns an array of one dimension without nulls, whose index begins at 1. */
    static byte[] array(List<Change> changes, int type, BiConsumer<BinaryValues, Change> element) {
        BinaryValues array = new BinaryValues(changes.size() * KEY_BYTES)
                .rawInt(1)
                .rawInt(0)
                .rawInt(type)
                .rawInt(changes.size())
                .rawInt(1);
        changes.forEach(change -> element.accept(array, change));
        return array.toBytes();
    }
}
