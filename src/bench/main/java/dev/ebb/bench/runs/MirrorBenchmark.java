package dev.ebb.bench.runs;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.MirrorChanges;
import dev.ebb.bench.stack.SqlMirrorSetup;
import dev.ebb.devstack.process.Service;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * B-12: rows a second from the mirror topic through Connect into PostgreSQL, upserts and deletes in turn, against a program
 * that writes the same rows with JDBC in batches.
 */
final class MirrorBenchmark implements Benchmark {

    private static final int SHORT_ROWS = 100_000;
    private static final int LONG_ROWS = 1_000_000;
    private static final String AGAINST = "batched JDBC";

    @Override
    public String id() {
        return "B-12";
    }

    @Override
    public String title() {
        return "alternating upserts and deletes through Connect into PostgreSQL, against batched JDBC";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        EnumSet<Service> services = EnumSet.of(Service.POSTGRES, Service.CONNECT);
        try (BenchStack stack = BenchStack.start(settings.folder(), services, progress)) {
            Lane lane = stack.lane("mirror");
            lane.renewAllTopics();
            try (SqlMirrorSetup mirror = SqlMirrorSetup.start(lane)) {
                MirrorChanges changes =
                        new MirrorChanges(settings.seed(), settings.events(SHORT_ROWS, LONG_ROWS), lane.partitions());
                Duel<Rate> duel = new Duel<>(
                        List.of(new ConnectTrial(lane, mirror, changes), new JdbcTrial(stack, mirror, changes)),
                        Rate::perSecond,
                        "rows/s",
                        progress);
                duel.warmUp(1);
                return figures(duel.run(settings.pairs()));
            }
        }
    }

    private static List<Figure> figures(List<Duel.Round<Rate>> rounds) {
        return List.of(
                Figure.of(
                        "B-12",
                        "rows into SQL",
                        "rows/s",
                        AGAINST,
                        Target.valueAtLeast(10_000, 20_000),
                        rounds,
                        1,
                        Rate::perSecond),
                Figure.of(
                        "B-12-cpu",
                        "rows into SQL, CPU of all processes",
                        "rows/CPU-s",
                        AGAINST,
                        Target.REPORTED,
                        rounds,
                        1,
                        Rate::perCpuSecond));
    }
}
