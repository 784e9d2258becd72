package dev.ebb.bench.runs.sql;

import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.sql.MirrorChanges;
import dev.ebb.bench.stack.sql.MirrorChanges.Change;
import dev.ebb.bench.stack.sql.MirrorRowsLeft;
import dev.ebb.bench.stack.sql.SqlMirrorSetup;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A program that has all rows in memory and only writes them. With several connections, each gets the changes of some
 * partitions, as Connect divides them among its tasks, and a thread of its own.
 */
final class JdbcTrial implements Trial<Rate> {

    private final BenchStack stack;
    private final SqlMirrorSetup mirror;
    private final MirrorChanges changes;
    private final RowWriter writer;

    JdbcTrial(BenchStack stack, SqlMirrorSetup mirror, MirrorChanges changes, RowWriter writer) {
        this.stack = stack;
        this.mirror = mirror;
        this.changes = changes;
        this.writer = writer;
    }

    @Override
    public String name() {
        return writer.name();
    }

    @Override
    public Rate run() throws InterruptedException {
        List<List<Change>> parts = changes.parts(writer.connections());
        ExecutorService threads = Executors.newFixedThreadPool(parts.size());
        List<Connection> connections = new ArrayList<>();
        try (Connection reader = mirror.connect()) {
            MirrorRowsLeft.empty(reader);
            List<Callable<Integer>> work = new ArrayList<>();
            for (List<Change> part : parts) {
                Connection connection = open();
                connections.add(connection);
                work.add(() -> write(connection, part));
            }
            Rate rate = measure(threads, work);
            VoidRunException.requireSame(
                    name(), MirrorRowsLeft.contents(reader), changes.left().contents());
            return rate;
        } catch (SQLException | ExecutionException e) {
            throw new VoidRunException("the rows cannot be written: " + e.getMessage(), e);
        } finally {
            connections.forEach(JdbcTrial::close);
            threads.shutdownNow();
        }
    }

    private Connection open() throws SQLException {
        Connection connection = mirror.connect();
        if (!writer.session().isEmpty()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(writer.session());
            }
        }
        connection.setAutoCommit(false);
        return connection;
    }

    private Rate measure(ExecutorService threads, List<Callable<Integer>> work)
            throws InterruptedException, ExecutionException {
        CpuMeter cpu = stack.cpu();
        Duration cpuBefore = cpu.used();
        long begin = System.nanoTime();
        long written = 0;
        for (Future<Integer> part : threads.invokeAll(work)) {
            written += part.get();
        }
        return new Rate(
                written, Duration.ofNanos(System.nanoTime() - begin), cpu.used().minus(cpuBefore));
    }

    private int write(Connection connection, List<Change> part) throws SQLException {
        int atOnce = writer.changesAtOnce();
        for (int from = 0; from < part.size(); from += atOnce) {
            // A row that is deleted was written before, so the upserts of a batch may go first.
            List<Change> batch = part.subList(from, Math.min(part.size(), from + atOnce));
            List<Change> upserts =
                    batch.stream().filter(change -> !change.isDelete()).toList();
            List<Change> deletes = batch.stream().filter(Change::isDelete).toList();
            writer.write(connection, upserts, deletes);
            connection.commit();
        }
        return part.size();
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // The run is over, and its result does not depend on this.
        }
    }
}
