package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.config.Settings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * B-20: ingest into a full store, against the ingest of the first events of a store. Rows are in blocks, the form for
 * users who need the rows in SQL alone; B-20-json is the same with rows in JSON, whose topic the broker must compact.
 */
public final class LastPartBenchmark implements Benchmark {

    private static final int SHORT_EVENTS = 3_000_000;
    private static final int LONG_EVENTS = 30_000_000;
    private static final int FEW_EVENTS = 300_000;
    private static final int STREAMS = 1000;

    /** Runs with few events, which are enough to compile the code of both trials. */
    private static final int WARM_UPS = 2;

    /** The last part is one in this many: large enough that a single merge of most files does not decide. */
    private static final int LAST = 3;

    private final String id;
    private final String form;
    private final Target target;

    private LastPartBenchmark(String id, String form, Target target) {
        this.id = id;
        this.form = form;
        this.target = target;
    }

    public static LastPartBenchmark inBlocks() {
        return new LastPartBenchmark("B-20", "blocks", Target.ratioAtLeast(0.8, 0.95));
    }

    public static LastPartBenchmark inJson() {
        return new LastPartBenchmark("B-20-json", "json", Target.REPORTED);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String title() {
        return "ingest into a full store, against the first events of an empty one, rows in " + form;
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        int many = settings.fewerEvents(SHORT_EVENTS, LONG_EVENTS);
        int few = Math.max(1, Math.min(FEW_EVENTS, many / 10));
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Map<String, String> rows = Map.of(Settings.MIRROR_FORMAT.key(), form);
            Lane full = stack.lane("full", rows);
            Lane fresh = stack.lane("fresh", rows);
            LastPartTrial first = trial(full, settings, many, many - Math.max(few, many / LAST), progress);
            LastPartTrial second = trial(fresh, settings, few, 0, progress);
            new Duel<>(List.of(second), LastPart::perSecond, "events/s", progress).warmUp(settings, WARM_UPS);
            Trial<LastPart> median = new Median(second);
            Duel<LastPart> duel = new Duel<>(List.of(first, median), LastPart::perSecond, "events/s", progress);
            return figures(many, few, duel.run(settings, settings.byLength(1, 1, 2)));
        }
    }

    private static LastPartTrial trial(
            Lane lane, BenchSettings settings, int events, int from, Consumer<String> progress)
            throws InterruptedException {
        return new LastPartTrial(
                InputTopic.fill(lane, settings.workload(events, STREAMS, lane.partitions()), progress), from, progress);
    }

    /**
     * Returns the figures. The target is for CPU time: the rate of so short a part depends on when files are merged.
     */
    private List<Figure> figures(int many, int few, List<Duel.Round<LastPart>> rounds) {
        String last = String.format(Locale.ROOT, "ingest, the last of %,d events, rows in %s", many, form);
        String written = String.format(Locale.ROOT, "written for each of %,d events", many);
        String against = String.format(Locale.ROOT, "%,d events", few);
        return List.of(
                Figure.of(id, last, "events/s", against, Target.REPORTED, rounds, 1, LastPart::perSecond),
                Figure.of(
                        id + "-cpu",
                        last + ", CPU of all processes",
                        "events/CPU-s",
                        against,
                        target,
                        rounds,
                        1,
                        LastPart::perCpuSecond),
                written("-written", written + ", state", against, rounds, LastPart::appBytes),
                written("-written-broker", written + ", broker", against, rounds, LastPart::brokerBytes));
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
            runs.sort(Comparator.comparingDouble(LastPart::perCpuSecond));
            return runs.get(RUNS / 2);
        }
    }

    private Figure written(
            String suffix,
            String name,
            String against,
            List<Duel.Round<LastPart>> rounds,
            ToDoubleFunction<LastPart> part) {
        return Figure.of(id + suffix, name, "bytes", against, Target.REPORTED, rounds, 1, part);
    }
}
