package dev.ebb.bench.runs.sql;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Medians;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.Deletions;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import dev.ebb.bench.stack.sql.SqlMirrorSetup;
import dev.ebb.bench.stack.sql.SteadyLoad;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * B-13: time from the moment at which an event is due until it is gone from the store and from SQL, under a steady
 * load.
 */
public final class LatenessBenchmark {

    private static final int SLOW_PER_MINUTE = 1000;
    private static final int FAST_FACTOR = 100;
    private static final Duration SHORT = Duration.ofSeconds(12);
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final Duration MAX_AGE = Duration.ofSeconds(20);
    private static final double PERCENTILE = 0.99;
    private static final RetentionPolicy SHORT_LIVED = Policies.settled(RetentionPolicy.of(Scope.ALL)
            .anchor(Anchor.OCCURRED)
            .maxAge(Limit.of(MAX_AGE.toMillis()))
            .build());

    private LatenessBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        Duration time = settings.isLong() ? LONG : SHORT;
        try (BenchStack stack = BenchStack.startWithSql(settings.folder(), progress)) {
            Lane lane = stack.lane("late");
            lane.renewAllTopics();
            Queue<Double> inStore = new ConcurrentLinkedQueue<>();
            Deletions deletions = new Deletions(latenessMs -> inStore.add(latenessMs / 1e3));
            try (SqlMirrorSetup mirror = SqlMirrorSetup.start(lane);
                    EbbApp app = EbbApp.start(lane, SHORT_LIVED, deletions, Map.of())) {
                List<Figure> figures = new ArrayList<>();
                for (int perMinute : List.of(SLOW_PER_MINUTE, SLOW_PER_MINUTE * FAST_FACTOR)) {
                    inStore.clear();
                    long count = Math.max(1, perMinute * time.toSeconds() / 60);
                    progress.accept(
                            String.format(Locale.ROOT, "%,d events a minute for %d s", perMinute, time.toSeconds()));
                    SteadyLoad load = new SteadyLoad(lane, settings.seed() + perMinute, MAX_AGE);
                    deletions.expirations().expect(count);
                    List<Double> inSql = load.run((int) count, time, mirror);
                    deletions.expirations().await(Expirations.LIMIT);
                    app.awaitCommitted();
                    app.requireContents(Contents.NONE);
                    requireInTime(deletions);
                    figures.addAll(figures(perMinute, inStore, inSql));
                }
                return figures;
            }
        }
    }

    /** Requires that rows came in time: a row that comes when it is already due would seem to have gone in time. */
    private static void requireInTime(Deletions deletions) {
        if (deletions.longestDelayMs() > MAX_AGE.toMillis() / 2) {
            throw new VoidRunException("the machine is too slow: an event was stored after "
                    + deletions.longestDelayMs() + " ms, and due after " + MAX_AGE.toMillis());
        }
    }

    private static List<Figure> figures(int perMinute, Queue<Double> inStore, List<Double> inSql) {
        String id = "B-13-" + perMinute;
        String rate = String.format(Locale.ROOT, ", p99 at %,d events a minute", perMinute);
        List<Double> store = List.of(Medians.percentile(inStore, PERCENTILE));
        List<Double> sql = List.of(Medians.percentile(inSql, PERCENTILE));
        String gone = "from due to gone in ";
        return List.of(
                Figure.alone(id + "-store", gone + "the store" + rate, "s", Target.valueAtMost(2, 1), store),
                Figure.alone(id + "-sql", gone + "SQL" + rate, "s", Target.valueAtMost(10, 5), sql));
    }
}
