package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Quiet;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.EventGenerator;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.sql.SqlPeer;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
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
import java.util.function.Supplier;

/**
 * A database deletes the same events as Ebb, with the usual statement for a database of this kind, until none is left
 * to delete. The rows are loaded first, and the database has analyzed them and is at rest.
 */
public final class SqlSweepTrial implements Trial<Rate> {

    private static final int BATCH = 1000;

    private final SqlPeer peer;
    private final Workload workload;
    private final Supplier<CpuMeter> cpuMeter;
    private final Quiet quiet;
    private final Contents left;
    private final long due;

    /** @param quiet the wait between loading and deleting */
    public SqlSweepTrial(SqlPeer peer, Workload workload, Supplier<CpuMeter> cpuMeter, Quiet quiet) {
        this.peer = peer;
        this.workload = workload;
        this.cpuMeter = cpuMeter;
        this.quiet = quiet;
        this.left = Model.guarded(workload);
        this.due = Model.due(workload);
    }

    @Override
    public String name() {
        return peer.name();
    }

    @Override
    public Rate run() throws InterruptedException {
        try (Connection connection = connect()) {
            execute(connection, "DROP TABLE IF EXISTS bench_event;" + peer.table());
            load(connection);
            execute(connection, peer.loaded());
            quiet.await();
            Rate rate = measure(connection);
            VoidRunException.requireSame(peer.name(), contents(connection), left);
            execute(connection, "DROP TABLE bench_event");
            return rate;
        } catch (SQLException e) {
            throw new VoidRunException(peer.name() + " failed: " + e.getMessage(), e);
        }
    }

    private Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(peer.url(), peer.login());
        execute(connection, peer.session());
        return connection;
    }

    private Rate measure(Connection connection) throws SQLException {
        CpuMeter cpu = cpuMeter.get();
        Duration cpuBefore = cpu.used();
        long begin = System.nanoTime();
        long deleted = peer.delete().run(connection);
        execute(connection, peer.vacuum());
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        if (deleted != due) {
            throw new VoidRunException(peer.name() + " deleted " + deleted + " rows, and the model says " + due);
        }
        return new Rate(deleted, took, cpu.used().minus(cpuBefore));
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

    private static Contents contents(Connection connection) throws SQLException {
        Contents all = Contents.NONE;
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT stream, id, status, created_at, payload FROM bench_event")) {
            while (rows.next()) {
                all = all.plus(Contents.of(EventGenerator.event(
                        new StreamName(rows.getString(1)),
                        new EventId(rows.getString(2)),
                        rows.getString(3),
                        rows.getLong(4),
                        OwnTtl.NONE,
                        rows.getBytes(5))));
            }
        }
        return all;
    }

    /** Executes each statement separately: not every driver takes several at once. */
    private static void execute(Connection connection, String statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String one : statements.split(";", -1)) {
                if (!one.isBlank()) {
                    statement.execute(one);
                }
            }
        }
    }
}
