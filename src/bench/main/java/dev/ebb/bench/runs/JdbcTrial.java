package dev.ebb.bench.runs;

import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.MirrorChanges;
import dev.ebb.bench.stack.MirrorChanges.Change;
import dev.ebb.bench.stack.MirrorRowsLeft;
import dev.ebb.bench.stack.SqlMirrorSetup;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program that has all rows in memory and nothing to do but to write them: one connection, transactions of 5000 changes,
 * the upserts of each in one batch and the deletes in another, as the driver's manual advises.
 */
final class JdbcTrial implements Trial<Rate> {

    private static final int BATCH = 5000;

    private static final String UPSERT = """
            INSERT INTO event (stored_at, stream, event_id, namespace, type, status, terminal, occurred_at, completed_at,
                no_expiration, execution, content_type, metadata, payload, size_bytes)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, false, 0, ?, '{}', ?, ?)
            ON CONFLICT (stored_at, stream, event_id) DO UPDATE SET namespace = EXCLUDED.namespace, type = EXCLUDED.type,
                status = EXCLUDED.status, terminal = EXCLUDED.terminal, occurred_at = EXCLUDED.occurred_at,
                completed_at = EXCLUDED.completed_at, content_type = EXCLUDED.content_type,
                metadata = EXCLUDED.metadata, payload = EXCLUDED.payload, size_bytes = EXCLUDED.size_bytes""";

    private static final String DELETE = "DELETE FROM event WHERE stored_at = ? AND stream = ? AND event_id = ?";

    private final BenchStack stack;
    private final SqlMirrorSetup mirror;
    private final MirrorChanges changes;

    JdbcTrial(BenchStack stack, SqlMirrorSetup mirror, MirrorChanges changes) {
        this.stack = stack;
        this.mirror = mirror;
        this.changes = changes;
    }

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public Rate run() {
        List<Change> all = changes.all();
        CpuMeter cpu = stack.cpu();
        try (Connection connection = mirror.connect()) {
            MirrorRowsLeft.empty(connection);
            connection.setAutoCommit(false);
            Duration cpuBefore = cpu.used();
            long begin = System.nanoTime();
            write(connection, all);
            Rate rate = new Rate(
                    all.size(),
                    Duration.ofNanos(System.nanoTime() - begin),
                    cpu.used().minus(cpuBefore));
            VoidRunException.requireSame(
                    name(), MirrorRowsLeft.contents(connection), changes.left().contents());
            return rate;
        } catch (SQLException e) {
            throw new VoidRunException("the rows cannot be written: " + e.getMessage(), e);
        }
    }

    private static void write(Connection connection, List<Change> all) throws SQLException {
        try (PreparedStatement upsert = connection.prepareStatement(UPSERT);
                PreparedStatement delete = connection.prepareStatement(DELETE)) {
            for (int from = 0; from < all.size(); from += BATCH) {
                for (Change change : all.subList(from, Math.min(all.size(), from + BATCH))) {
                    add(change.isDelete() ? delete : upsert, change);
                }
                // A row that goes has come long before, so the upserts of a batch may go first.
                upsert.executeBatch();
                delete.executeBatch();
                connection.commit();
            }
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
