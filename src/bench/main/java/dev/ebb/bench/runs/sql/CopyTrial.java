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
 * A program that has all rows in memory and only writes them, over as many connections as Ebb's sink has tasks: each
 * gets the changes of some partitions, as Connect divides them, and a thread of its own.
 */
record CopyTrial(BenchStack stack, SqlMirrorSetup mirror, MirrorChanges changes) implements Trial<Rate> {

    /** {@code tasks.max} of the sink. */
    static final int CONNECTIONS = 2;

    /** Number of records that a task of the sink gets at once. */
    private static final int CHANGES_AT_ONCE = 10_000;

    @Override
    public String name() {
        return "COPY";
    }

    @Override
    public Rate run() throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        try (Connection first = open();
                Connection second = open();
                Connection reader = mirror.connect()) {
            MirrorRowsLeft.empty(reader);
            List<Connection> connections = List.of(first, second);
            List<Callable<Integer>> work = new ArrayList<>();
            for (List<Change> part : changes.parts(CONNECTIONS)) {
                Connection connection = connections.get(work.size());
                work.add(() -> write(connection, part));
            }
            Rate rate = measure(threads, work);
            VoidRunException.requireSame(
                    name(), MirrorRowsLeft.contents(reader), changes.left().contents());
            return rate;
        } catch (SQLException | ExecutionException e) {
            throw new VoidRunException("the rows cannot be written: " + e.getMessage(), e);
        } finally {
            threads.shutdownNow();
        }
    }

    private Connection open() throws SQLException {
        Connection connection = mirror.connect();
        try (Statement statement = connection.createStatement()) {
            // Avoids planning each delete over all partitions of the table, which takes longer than the delete.
            statement.execute("SET plan_cache_mode = force_generic_plan");
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

    private static int write(Connection connection, List<Change> part) throws SQLException {
        for (int from = 0; from < part.size(); from += CHANGES_AT_ONCE) {
            // A row that is deleted was written before, so the upserts of a batch may go first.
            List<Change> batch = part.subList(from, Math.min(part.size(), from + CHANGES_AT_ONCE));
            CopiedRows.write(
                    connection,
                    batch.stream().filter(change -> !change.isDelete()).toList(),
                    batch.stream().filter(Change::isDelete).toList());
            connection.commit();
        }
        return part.size();
    }
}
