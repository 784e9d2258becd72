package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * B-16: the sweep of B-3 while its deletes can be undone, and once its policy has proved itself, against a sweep whose
 * deletes are final; and the share of the sweep that is not for receipts.
 */
public final class TrustBenchmark implements Benchmark {

    private static final String FINAL = "every delete is final";
    private static final int STREAMS = 1000;
    private static final int SHORT_EVENTS = 300_000;
    private static final int LONG_EVENTS = 1_000_000;

    @Override
    public String id() {
        return "B-16";
    }

    @Override
    public String title() {
        return "deletes that can be undone, deletes of a settled policy, and receipts, against none of them";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("trust");
            Workload workload = new Workload(
                    settings.seed(),
                    settings.fewerEvents(SHORT_EVENTS, LONG_EVENTS),
                    STREAMS,
                    lane.partitions(),
                    System.currentTimeMillis(),
                    Mix.USUAL.withoutTtl());
            InputTopic input = InputTopic.fill(lane, workload, progress);
            Trial<Rate> open = new EbbSweepTrial(input, "can be undone", Policies.DROP_UNDOABLE);
            Trial<Rate> settled = new EbbSweepTrial(input, "settled", Policies.DROP);
            ReceiptTrial closed = new ReceiptTrial(input);
            Duel<Rate> undo = duel(List.of(open, closed), progress);
            undo.warmUp(settings, 1);
            List<Figure> figures = new ArrayList<>();
            add(figures, "B-16-undo", "sweep that can be undone", Target.ratioAtLeast(0.6, 0.8), undo, settings);
            Duel<Rate> proved = duel(List.of(settled, closed), progress);
            add(figures, "B-16-settled", "sweep of a settled policy", Target.ratioAtLeast(0.99, 1), proved, settings);
            figures.add(Figure.alone(
                    "B-16",
                    "part of a sweep's CPU that is not for receipts",
                    "",
                    Target.valueAtLeast(0.97, 0.99),
                    closed.shares()));
            return figures;
        }
    }

    private static Duel<Rate> duel(List<Trial<Rate>> trials, Consumer<String> progress) {
        return new Duel<>(trials, Rate::perSecond, "deletes/s", progress);
    }

    private static void add(
            List<Figure> figures, String id, String name, Target target, Duel<Rate> duel, BenchSettings settings)
            throws InterruptedException {
        List<Duel.Round<Rate>> rounds = duel.run(settings, settings.pairs());
        figures.add(Figure.of(id, name, "deletes/s", FINAL, target, rounds, 1, Rate::perSecond));
        figures.add(Figure.of(
                id + "-cpu",
                name + ", CPU of all processes",
                "deletes/CPU-s",
                FINAL,
                Target.REPORTED,
                rounds,
                1,
                Rate::perCpuSecond));
    }
}
