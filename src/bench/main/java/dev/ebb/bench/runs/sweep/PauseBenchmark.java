package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * B-6: the longest time that a stream thread is away from its input while everything expires at once, and while policies
 * and holds change, against the scan of the tutorial, and beside it against a store ordered by time.
 */
public final class PauseBenchmark implements Benchmark {

    private static final String AGAINST = "the tutorial's scan";
    private static final int SHORT_EVENTS = 200_000;
    private static final int LONG_EVENTS = 1_000_000;
    private static final int STREAMS = 100_000;

    @Override
    public String id() {
        return "B-6";
    }

    @Override
    public String title() {
        return "longest pause of a stream thread while everything expires, and while policies and holds change";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane ebb = stack.lane("pause");
            Lane table = stack.lane("table");
            int events = settings.events(SHORT_EVENTS, LONG_EVENTS);
            Workload workload = new Workload(
                    settings.seed(), events, Math.min(STREAMS, events), ebb.partitions(), System.currentTimeMillis());
            InputTopic input = InputTopic.fill(ebb, workload, progress);
            List<Trial<Pauses>> trials = new ArrayList<>();
            trials.add(new EbbPauseTrial(input));
            trials.add(new TutorialPauseTrial(table, workload));
            if (settings.hasReported()) {
                trials.add(new IndexPauseTrial(input));
            }
            Duel<Pauses> duel = new Duel<>(trials, Pauses::expire, "ms", progress);
            duel.warmUpEach(settings);
            List<Duel.Round<Pauses>> rounds = duel.run(settings, settings.pairs());
            List<Figure> figures = new ArrayList<>(figures(rounds));
            if (settings.hasReported()) {
                figures.add(againstIndex(rounds));
            }
            return figures;
        }
    }

    private static List<Figure> figures(List<Duel.Round<Pauses>> rounds) {
        return List.of(
                figure("B-6", "longest pause, everything expires", Target.valueAtMost(45, 30), rounds, Pauses::expire),
                figure(
                        "B-6-change",
                        "longest pause, policies and holds change",
                        Target.valueAtMost(45, 30),
                        rounds,
                        Pauses::change),
                figure(
                        "B-6-commit",
                        "longest pause with the commit, everything expires",
                        Target.REPORTED,
                        rounds,
                        Pauses::expireWithCommit),
                figure(
                        "B-6-cpu",
                        "most CPU time between two polls, everything expires",
                        Target.REPORTED,
                        rounds,
                        Pauses::expireCpu),
                figure(
                        "B-6-change-cpu",
                        "most CPU time between two polls, policies and holds change",
                        Target.REPORTED,
                        rounds,
                        Pauses::changeCpu));
    }

    private static Figure againstIndex(List<Duel.Round<Pauses>> rounds) {
        return Figure.of(
                "B-6-index",
                "longest pause, everything expires",
                "ms",
                "a store ordered by time",
                Target.REPORTED,
                rounds,
                2,
                Pauses::expire);
    }

    private static Figure figure(
            String id, String name, Target target, List<Duel.Round<Pauses>> rounds, ToDoubleFunction<Pauses> part) {
        return Figure.of(id, name, "ms", AGAINST, target, rounds, 1, part);
    }
}
