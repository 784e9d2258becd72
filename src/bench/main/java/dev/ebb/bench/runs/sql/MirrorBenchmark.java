package dev.ebb.bench.runs.sql;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Versus;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.sql.MirrorChanges;
import dev.ebb.bench.stack.sql.SqlMirrorSetup;
import java.util.List;
import java.util.function.Consumer;

/**
 * B-12: rows a second from the mirror topic through Connect into PostgreSQL, upserts and deletes in turn, against a
 * program that writes the same rows with binary {@code COPY} and deletes them by key.
 */
public final class MirrorBenchmark {

    private static final int SHORT_ROWS = 100_000;
    private static final int LONG_ROWS = 1_000_000;

    private MirrorBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        Versus<Rate> copy = duel(settings, progress, false);
        Target target = Target.valueAtLeast(60_000, 120_000);
        return Versus.rates(copy, "B-12", "rows into SQL", "rows", target, Target.REPORTED);
    }

    /** The same with deletes as a sweep sends them: many of one stream at a time. */
    public static List<Figure> runs(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        Versus<Rate> copy = duel(settings, progress, true);
        Target target = Target.ratioAtLeast(1, 1.5);
        return Versus.rates(copy, "B-12-runs", "rows into SQL, deletes in runs", "rows", Target.REPORTED, target);
    }

    private static Versus<Rate> duel(BenchSettings settings, Consumer<String> progress, boolean inRuns)
            throws InterruptedException {
        try (BenchStack stack = BenchStack.startWithSql(settings.folder(), progress)) {
            Lane lane = stack.lane("mirror");
            lane.renewAllTopics();
            try (SqlMirrorSetup mirror = SqlMirrorSetup.start(lane)) {
                int rows = settings.events(SHORT_ROWS, LONG_ROWS);
                MirrorChanges changes = new MirrorChanges(settings.seed(), rows, lane.partitions(), inRuns);
                Duel<Rate> duel = new Duel<>(
                        List.of(new ConnectTrial(lane, mirror, changes), new CopyTrial(stack, mirror, changes)),
                        Rate::perSecond,
                        "rows/s",
                        progress);
                duel.warmUp(settings, 1);
                return new Versus<>("JDBC, COPY", duel.run(settings, settings.pairs()));
            }
        }
    }
}
