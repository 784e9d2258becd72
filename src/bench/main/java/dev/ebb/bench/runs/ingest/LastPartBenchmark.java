package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.Versus;
import dev.ebb.bench.runs.ingest.LastPartTrial.LastPart;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * B-20: ingest into a full store, against the ingest of the first events of a store. Rows are in blocks, the form for
 * users who need the rows in SQL alone.
 */
public final class LastPartBenchmark {

    private static final int SHORT_EVENTS = 3_000_000;
    private static final int LONG_EVENTS = 30_000_000;
    private static final int FEW_EVENTS = 300_000;
    private static final int STREAMS = 1000;

    /** Runs with few events, which are enough to compile the code of both trials. */
    private static final int WARM_UPS = 2;

    /** The last part is one in this many: large enough that a single merge of most files does not decide. */
    private static final int LAST = 3;

    private LastPartBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        int many = settings.fewerEvents(SHORT_EVENTS, LONG_EVENTS);
        int few = Math.max(1, Math.min(FEW_EVENTS, many / 10));
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane full = stack.lane("full", Map.of());
            Lane fresh = stack.lane("fresh", Map.of());
            LastPartTrial first = trial(full, settings, many, many - Math.max(few, many / LAST));
            LastPartTrial second = trial(fresh, settings, few, 0);
            new Duel<>(List.of(second), part -> part.rate().perSecond(), "events/s", progress)
                    .warmUp(settings, WARM_UPS);
            Trial<LastPart> median = new Median(second);
            Duel<LastPart> duel =
                    new Duel<>(List.of(first, median), part -> part.rate().perSecond(), "events/s", progress);
            String against = String.format(Locale.ROOT, "%,d events", few);
            return figures(many, new Versus<>(against, duel.run(settings, settings.byLength(1, 1, 2))));
        }
    }

    private static LastPartTrial trial(Lane lane, BenchSettings settings, int events, int from)
            throws InterruptedException {
        return new LastPartTrial(InputTopic.fill(lane, settings.workload(events, STREAMS, lane.partitions())), from);
    }

    /**
     * Returns the figures. The target is for CPU time: the rate of so short a part depends on when files are merged.
     */
    private static List<Figure> figures(int many, Versus<LastPart> fresh) {
        String last = String.format(Locale.ROOT, "ingest, the last of %,d events", many);
        String written = String.format(Locale.ROOT, "written for each of %,d events", many);
        List<Figure> figures = new ArrayList<>(
                fresh.rates("B-20", last, "events", Target.REPORTED, Target.ratioAtLeast(0.9, 1.0), LastPart::rate));
        Target bytes = Target.valueAtMost(1200, 700);
        figures.add(fresh.figure("B-20-written", written, "bytes", bytes, LastPart::bytes));
        return figures;
    }

    /** The median of some runs with few events, each of which takes only seconds. */
    private record Median(Trial<LastPart> trial) implements Trial<LastPart> {

        private static final int RUNS = 3;

        @Override
        public String name() {
            return trial.name();
        }

        @Override
        public LastPart run() throws InterruptedException {
            List<LastPart> runs = new ArrayList<>();
            for (int i = 0; i < RUNS; i++) {
                runs.add(trial.run());
            }
            runs.sort(Comparator.comparingDouble(part -> part.rate().perCpuSecond()));
            return runs.get(RUNS / 2);
        }
    }
}
