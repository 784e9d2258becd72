package dev.ebb.bench.runs.sql;

import dev.ebb.bench.stack.sql.MirrorChanges.Change;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * {@code COPY} straight into the table, and one statement for all deletes. It is for rows that come once: one that comes again,
 * as after a crash, ends the batch with an error.
 */
final class CopiedRows implements RowWriter {

    private static final String COPY = """
            COPY event (stored_at, stream, event_id, namespace, type, status, terminal, occurred_at, completed_at,
                no_expiration, execution, content_type, metadata, payload, size_bytes) FROM STDIN""";
    private static final int ROW_CHARS = 700;
    private static final HexFormat HEX = HexFormat.of();

    @Override
    public String name() {
        return "COPY";
    }

    @Override
    public void write(Connection connection, List<Change> upserts, List<Change> deletes) throws SQLException {
        StringBuilder rows = new StringBuilder(upserts.size() * ROW_CHARS);
        upserts.forEach(change -> append(rows, change.event()));
        try {
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn(COPY, new StringReader(rows.toString()));
        } catch (IOException e) {
            throw new SQLException(e);
        }
        RowArrays.delete(connection, deletes);
    }

    private static void append(StringBuilder rows, StoredEvent stored) {
        Event event = stored.event();
        rows.append(Instant.ofEpochMilli(stored.storedAt())).append('\t');
        rows.append(event.stream().value()).append('\t');
        rows.append(event.id().value()).append('\t');
        rows.append(event.stream().namespace()).append('\t');
        rows.append(event.type()).append('\t');
        rows.append(event.status()).append('\t');
        rows.append(!stored.isProtected()).append('\t');
        rows.append(time(event.occurredAt())).append('\t');
        rows.append(time(event.completedAt())).append("\tf\t0\t");
        rows.append(event.contentType()).append("\t{}\t\\\\x");
        rows.append(HEX.formatHex(event.payload())).append('\t');
        rows.append(stored.sizeBytes()).append('\n');
    }

    private static String time(@Nullable Long timeMs) {
        return timeMs == null ? "\\N" : Instant.ofEpochMilli(timeMs).toString();
    }
}
