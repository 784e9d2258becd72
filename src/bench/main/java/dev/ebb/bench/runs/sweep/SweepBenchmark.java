package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Quiet;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.sql.SqlPeer;
import dev.ebb.devstack.process.Service;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * B-3: how fast events go that fall due at once, with everything that goes with them, against databases that are told to
 * delete the same events.
 */
public final class SweepBenchmark implements Benchmark {

    private static final String CURSOR = "PostgreSQL, cursor";
    private static final String AT_ONCE = "PostgreSQL, one statement";
    private static final String PARTITION = "PostgreSQL, partition dropped";
    private static final String SQLITE = "SQLite";
    private static final int STREAMS = 1000;

    /** In both forms: a table is the slower for each row that it has deleted before, until it is cleaned up. */
    private static final int EVENTS = 1_000_000;

    @Override
    public String id() {
        return "B-3";
    }

    @Override
    public String title() {
        return "deletes when everything falls due at once, against PostgreSQL and SQLite";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), EnumSet.of(Service.POSTGRES), progress)) {
            Lane lane = stack.lane("sweep");
            // Tables as people make them know no own TTL, and events that have one stay anyway.
            Workload workload = new Workload(
                    settings.seed(),
                    settings.events(EVENTS, EVENTS),
                    STREAMS,
                    lane.partitions(),
                    System.currentTimeMillis(),
                    Mix.USUAL.withoutTtl());
            InputTopic input = InputTopic.fill(lane, workload, progress);
            Quiet quiet = Quiet.of(stack::cpu);
            Duel<Rate> duel = new Duel<>(
                    List.of(
                            new EbbSweepTrial(input),
                            new SqlSweepTrial(SqlPeer.postgres(stack), workload, stack::cpu, quiet),
                            new SqlSweepTrial(SqlPeer.postgresAtOnce(stack), workload, stack::cpu, quiet),
                            new SqlSweepTrial(SqlPeer.postgresPartition(stack), workload, stack::cpu, quiet),
                            new SqlSweepTrial(SqlPeer.sqlite(stack.folder()), workload, stack::cpu, quiet)),
                    Rate::perSecond,
                    "deletes/s",
                    progress);
            duel.warmUpEach(settings.length());
            return figures(duel.run(settings.pairs()));
        }
    }

    private static List<Figure> figures(List<Duel.Round<Rate>> rounds) {
        String sweep = "sweep";
        String unit = "deletes/s";
        return List.of(
                Figure.of("B-3", sweep, unit, CURSOR, Target.ratioAtLeast(1, 2), rounds, 1, Rate::perSecond),
                Figure.of(
                        "B-3-cpu",
                        "sweep, CPU of all processes",
                        "deletes/CPU-s",
                        CURSOR,
                        Target.REPORTED,
                        rounds,
                        1,
                        Rate::perCpuSecond),
                Figure.of("B-3-once", sweep, unit, AT_ONCE, Target.REPORTED, rounds, 2, Rate::perSecond),
                Figure.of("B-3-partition", sweep, unit, PARTITION, Target.REPORTED, rounds, 3, Rate::perSecond),
                Figure.of("B-3-sqlite", sweep, unit, SQLITE, Target.REPORTED, rounds, 4, Rate::perSecond));
    }
}
