package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Quiet;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.sql.SqlPeer;
import dev.ebb.devstack.process.Service;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * B-3: the rate at which events go that fall due at once, with all records that belong to a delete, against databases
 * that delete the same events, and against Kafka's own retention.
 */
public final class SweepBenchmark implements Benchmark {

    private static final String CURSOR = "PostgreSQL, cursor";
    private static final String AT_ONCE = "PostgreSQL, one statement";
    private static final String PARTITION = "PostgreSQL, partition dropped";
    private static final String SQLITE = "SQLite";
    private static final String LOG = "Kafka, deleteRecords";
    private static final int STREAMS = 1000;

    private static final int SHORT_EVENTS = 300_000;
    private static final int LONG_EVENTS = 1_000_000;

    @Override
    public String id() {
        return "B-3";
    }

    @Override
    public String title() {
        return "deletes when everything falls due at once, against PostgreSQL, SQLite and Kafka alone";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), EnumSet.of(Service.POSTGRES), progress)) {
            Lane lane = stack.lane("sweep");
            // The tables of the databases know no own TTL, and events that have one stay anyway.
            Workload workload = new Workload(
                    settings.seed(),
                    settings.events(SHORT_EVENTS, LONG_EVENTS),
                    STREAMS,
                    lane.partitions(),
                    System.currentTimeMillis(),
                    Mix.USUAL.withoutTtl());
            InputTopic input = InputTopic.fill(lane, workload, progress);
            Quiet quiet = stack::rest;
            Trial<Rate> ebb = new EbbSweepTrial(input);
            Duel<Rate> cursor = duel(
                    progress, List.of(ebb, new SqlSweepTrial(SqlPeer.postgres(stack), workload, stack::cpu, quiet)));
            Duel<Rate> others = duel(
                    progress,
                    List.of(
                            ebb,
                            new SqlSweepTrial(SqlPeer.postgresAtOnce(stack), workload, stack::cpu, quiet),
                            new SqlSweepTrial(SqlPeer.postgresPartition(stack), workload, stack::cpu, quiet),
                            new SqlSweepTrial(SqlPeer.sqlite(stack.folder()), workload, stack::cpu, quiet),
                            new LogSweepTrial(stack.lane("log"), workload)));
            cursor.warmUpEach(settings);
            List<Duel.Round<Rate>> rounds = cursor.run(settings, settings.pairs());
            others.warmUpOpponents(settings);
            return figures(rounds, others.run(settings, settings.reportedPairs()));
        }
    }

    private static Duel<Rate> duel(Consumer<String> progress, List<Trial<Rate>> trials) {
        return new Duel<>(trials, Rate::perSecond, "deletes/s", progress);
    }

    private static List<Figure> figures(List<Duel.Round<Rate>> rounds, List<Duel.Round<Rate>> others) {
        List<Figure> figures = new ArrayList<>();
        figures.add(figure("B-3", CURSOR, Target.ratioAtLeast(1, 2), rounds, 1));
        figures.add(Figure.of(
                "B-3-cpu",
                "sweep, CPU of all processes",
                "deletes/CPU-s",
                CURSOR,
                Target.REPORTED,
                rounds,
                1,
                Rate::perCpuSecond));
        if (!others.isEmpty()) {
            figures.add(figure("B-3-once", AT_ONCE, Target.REPORTED, others, 1));
            figures.add(figure("B-3-partition", PARTITION, Target.REPORTED, others, 2));
            figures.add(figure("B-3-sqlite", SQLITE, Target.REPORTED, others, 3));
            figures.add(figure("B-3-kafka", LOG, Target.REPORTED, others, 4));
        }
        return figures;
    }

    private static Figure figure(
            String id, String against, Target target, List<Duel.Round<Rate>> rounds, int opponent) {
        return Figure.of(id, "sweep", "deletes/s", against, target, rounds, opponent, Rate::perSecond);
    }
}
