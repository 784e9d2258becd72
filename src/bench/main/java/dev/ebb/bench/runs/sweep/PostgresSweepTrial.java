package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.sql.MirrorRowsLeft;
import dev.ebb.bench.stack.sql.SqlMirrorSetup;
import dev.ebb.domain.event.Event;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

/**
 * PostgreSQL deletes the same events as Ebb: rows of a terminal status, found by an index of status and time; then the
 * space is reclaimed. The rows are loaded first, and the database has analyzed them and is at rest. Commits do not wait
 * for the disk, since Kafka's do not either.
 */
record PostgresSweepTrial(Way way, BenchStack stack, Workload workload) implements Trial<Rate> {

    private static final int BATCH = 1000;

    /** How rows are deleted. */
    enum Way {
        /**
         * The loop of a good administrator: batches of 1000 by a cursor on the index, each a transaction that begins
         * where the one before ended, so that none walks over the dead index entries of the others.
         */
        CURSOR("B-3-bare", "PostgreSQL, cursor"),
        /** One statement, which holds its locks until it ends. */
        ONCE("B-3-bare-once", "PostgreSQL, one statement"),
        /** A partition that is dropped; it must hold only rows that go: no caps, no work in progress. */
        PARTITION("B-3-bare-partition", "PostgreSQL, partition dropped");

        private final String id;
        private final String title;

        Way(String id, String title) {
            this.id = id;
            this.title = title;
        }

        String id() {
            return id;
        }

        String title() {
            return title;
        }
    }

    @Override
    public String name() {
        return way.title();
    }

    @Override
    public Rate run() throws InterruptedException {
        try (Connection connection = connect()) {
            execute(connection, "DROP TABLE IF EXISTS bench_event");
            execute(connection, table());
            load(connection);
            execute(connection, "VACUUM ANALYZE bench_event");
            stack.rest();
            Rate rate = measure(connection);
            Contents left = MirrorRowsLeft.contents(connection, "id", "created_at", "bench_event");
            VoidRunException.requireSame(name(), left, Model.guarded(workload));
            execute(connection, "DROP TABLE bench_event");
            return rate;
        } catch (SQLException e) {
            throw new VoidRunException(name() + " failed: " + e.getMessage(), e);
        }
    }

    private Connection connect() throws SQLException {
        var endpoints = stack.services().endpoints();
        Properties login = new Properties();
        login.put("user", endpoints.sqlUser());
        login.put("password", endpoints.sqlPassword());
        login.put("reWriteBatchedInserts", "true");
        Connection connection = DriverManager.getConnection(endpoints.jdbcUrl(), login);
        execute(connection, "SET synchronous_commit = off");
        return connection;
    }

    private String table() {
        boolean isDivided = way == Way.PARTITION;
        return """
                CREATE TABLE bench_event (
                    stream text NOT NULL, id text NOT NULL, status text NOT NULL, created_at bigint NOT NULL,
                    payload bytea NOT NULL, PRIMARY KEY (stream, id%s))%s;
                CREATE INDEX bench_event_by_status ON bench_event (status, created_at)""".formatted(isDivided ? ", status" : "", isDivided ? """
                 PARTITION BY LIST (status);
                CREATE TABLE bench_event_completed PARTITION OF bench_event FOR VALUES IN ('completed');
                CREATE TABLE bench_event_other PARTITION OF bench_event DEFAULT""" : "");
    }

    private Rate measure(Connection connection) throws SQLException {
        CpuMeter cpu = stack.cpu();
        Duration cpuBefore = cpu.used();
        long begin = System.nanoTime();
        long deleted = delete(connection);
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        if (deleted != Model.due(workload)) {
            throw new VoidRunException(name() + " deleted " + deleted + " rows, and not what the model says");
        }
        return new Rate(deleted, took, cpu.used().minus(cpuBefore));
    }

    private long delete(Connection connection) throws SQLException {
        if (way == Way.PARTITION) {
            long rows = SqlMirrorSetup.count(connection, "SELECT count(*) FROM bench_event_completed");
            execute(connection, "DROP TABLE bench_event_completed");
            return rows;
        }
        long deleted = way == Way.CURSOR ? deleteByCursor(connection) : deleteAtOnce(connection);
        execute(connection, "VACUUM bench_event");
        return deleted;
    }

    private static long deleteAtOnce(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate("DELETE FROM bench_event WHERE status = 'completed'");
        }
    }

    private static long deleteByCursor(Connection connection) throws SQLException {
        long deleted = 0;
        try (PreparedStatement statement = connection.prepareStatement("""
                WITH gone AS (
                    DELETE FROM bench_event WHERE ctid = ANY (ARRAY(
                        SELECT ctid FROM bench_event WHERE status = 'completed' AND created_at >= ? AND created_at < ?
                        ORDER BY created_at LIMIT 1000))
                    RETURNING created_at)
                SELECT count(*), max(created_at) FROM gone""")) {
            statement.setLong(1, Long.MIN_VALUE);
            statement.setLong(2, System.currentTimeMillis());
            while (true) {
                try (ResultSet gone = statement.executeQuery()) {
                    gone.next();
                    if (gone.getLong(1) == 0) {
                        return deleted;
                    }
                    deleted += gone.getLong(1);
                    statement.setLong(1, gone.getLong(2));
                }
            }
        }
    }

    private void load(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO bench_event (stream, id, status, created_at, payload) VALUES (?, ?, ?, ?, ?)")) {
            List<Event> batch = new ArrayList<>();
            Model.forEachLast(workload, event -> {
                batch.add(event);
                if (batch.size() == BATCH) {
                    insert(insert, batch);
                }
            });
            insert(insert, batch);
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private static void insert(PreparedStatement insert, List<Event> batch) {
        try {
            for (Event event : batch) {
                insert.setString(1, event.stream().value());
                insert.setString(2, event.id().value());
                insert.setString(3, event.status());
                insert.setLong(4, Objects.requireNonNull(event.occurredAt()));
                insert.setBytes(5, event.payload());
                insert.addBatch();
            }
            insert.executeBatch();
            batch.clear();
        } catch (SQLException e) {
            throw new VoidRunException("the rows cannot be loaded: " + e.getMessage(), e);
        }
    }

    private static void execute(Connection connection, String statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(statements);
        }
    }
}
