package dev.ebb.bench.runs.sql;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Medians;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.sql.MirrorChanges;
import dev.ebb.bench.stack.sql.SqlMirrorSetup;
import dev.ebb.devstack.process.Service;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * B-12: rows a second from the mirror topic through Connect into PostgreSQL, upserts and deletes in turn, against a
 * program that writes the same rows with JDBC in three ways, of which the fastest counts.
 */
public final class MirrorBenchmark implements Benchmark {

    private static final int SHORT_ROWS = 100_000;
    private static final int LONG_ROWS = 1_000_000;
    private static final String NAME = "rows into SQL";

    /** All contenders in the order of the trials, Ebb first. */
    private static final List<Opponent> OPPONENTS = List.of(
            new Opponent("", ""),
            new Opponent("insert", "JDBC, batched INSERT"),
            new Opponent("unnest", "JDBC, UNNEST"),
            new Opponent("copy", "JDBC, COPY"));

    private record Opponent(String slug, String against) {}

    @Override
    public String id() {
        return "B-12";
    }

    @Override
    public String title() {
        return "alternating upserts and deletes through Connect into PostgreSQL, against plain JDBC";
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
                        List.of(
                                new ConnectTrial(lane, mirror, changes),
                                new JdbcTrial(stack, mirror, changes, new InsertedRows()),
                                new JdbcTrial(stack, mirror, changes, new UnnestedRows()),
                                new JdbcTrial(stack, mirror, changes, new CopiedRows())),
                        Rate::perSecond,
                        "rows/s",
                        progress);
                duel.warmUp(settings, 1);
                return figures(duel.run(settings, settings.pairs()));
            }
        }
    }

    /** Returns the figures against the fastest opponent, and then against each. */
    private static List<Figure> figures(List<Duel.Round<Rate>> rounds) {
        int best = IntStream.range(1, OPPONENTS.size())
                .boxed()
                .max(Comparator.comparingDouble(opponent -> median(rounds, opponent)))
                .orElseThrow();
        List<Figure> figures = new ArrayList<>();
        figures.add(figure("B-12", Target.valueAtLeast(60_000, 120_000), rounds, best));
        figures.add(Figure.of(
                "B-12-cpu",
                NAME + ", CPU of all processes",
                "rows/CPU-s",
                OPPONENTS.get(best).against(),
                Target.REPORTED,
                rounds,
                best,
                Rate::perCpuSecond));
        for (int opponent = 1; opponent < OPPONENTS.size(); opponent++) {
            figures.add(figure("B-12-" + OPPONENTS.get(opponent).slug(), Target.REPORTED, rounds, opponent));
        }
        return figures;
    }

    private static double median(List<Duel.Round<Rate>> rounds, int trial) {
        return Medians.of(
                rounds.stream().map(round -> round.of(trial).perSecond()).toList());
    }

    private static Figure figure(String id, Target target, List<Duel.Round<Rate>> rounds, int opponent) {
        String against = OPPONENTS.get(opponent).against();
        return Figure.of(id, NAME, "rows/s", against, target, rounds, opponent, Rate::perSecond);
    }
}
