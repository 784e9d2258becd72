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
import java.time.Duration;
import java.util.List;

/**
 * A program that has all rows in memory and nothing to do but to write them: one connection, transactions of 5000 changes.
 */
final class JdbcTrial implements Trial<Rate> {

    private static final int BATCH = 5000;

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

    private void write(Connection connection, List<Change> all) throws SQLException {
        for (int from = 0; from < all.size(); from += BATCH) {
            // A row that goes has come long before, so the upserts of a batch may go first.
            List<Change> batch = all.subList(from, Math.min(all.size(), from + BATCH));
            List<Change> upserts =
                    batch.stream().filter(change -> !change.isDelete()).toList();
            List<Change> deletes = batch.stream().filter(Change::isDelete).toList();
            writer.write(connection, upserts, deletes);
            connection.commit();
        }
    }
}
