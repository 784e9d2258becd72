package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.Versus;
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
public final class TrustBenchmark {

    private static final String FINAL = "every delete is final";
    private static final int STREAMS = 1000;
    private static final int SHORT_EVENTS = 300_000;
    private static final int LONG_EVENTS = 1_000_000;

    private TrustBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("trust");
            Workload workload = settings.workload(
                            settings.fewerEvents(SHORT_EVENTS, LONG_EVENTS), STREAMS, lane.partitions())
                    .with(Mix.USUAL.withoutTtl());
            InputTopic input = InputTopic.fill(lane, workload);
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
        Versus<Rate> versus = new Versus<>(FINAL, duel.run(settings, settings.pairs()));
        figures.addAll(Versus.rates(versus, id, name, "deletes", target, Target.REPORTED));
    }
}
