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
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * B-8: from the record of a policy that makes everything due, on its topic, until the first delete, against a store ordered by
 * time, whose limit changes in its memory; and until all of it has gone.
 */
public final class PolicyBenchmark implements Benchmark {

    private static final int SHORT_EVENTS = 300_000;
    private static final int LONG_EVENTS = 10_000_000;
    private static final int STREAMS = 100_000;
    private static final String INDEX = "a store ordered by time";

    @Override
    public String id() {
        return "B-8";
    }

    @Override
    public String title() {
        return "from a change of policy to the first delete, and what is read for it";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("policy");
            int events = settings.events(SHORT_EVENTS, LONG_EVENTS);
            Workload workload = new Workload(
                    settings.seed(),
                    events,
                    Math.max(1, Math.min(STREAMS, events / 10)),
                    lane.partitions(),
                    System.currentTimeMillis());
            InputTopic input = InputTopic.fill(lane, workload, progress);
            List<Trial<Change>> trials = new ArrayList<>();
            trials.add(new EbbChangeTrial(input));
            if (settings.hasReported()) {
                trials.add(new IndexChangeTrial(input));
            }
            Duel<Change> duel = new Duel<>(trials, Change::first, "s to the first delete", progress);
            duel.warmUp(settings, 1);
            return figures(events, workload.streams(), duel.run(settings, settings.pairs()));
        }
    }

    private static List<Figure> figures(int events, int streams, List<Duel.Round<Change>> rounds) {
        String of = String.format(Locale.ROOT, " (%,d events, %,d streams)", events, streams);
        return List.of(
                figure("B-8", "policy change to first delete" + of, Target.valueAtMost(2, 1), rounds, Change::first),
                figure("B-8-all", "policy change to last delete" + of, Target.REPORTED, rounds, Change::all),
                Figure.alone(
                        "B-8-reads",
                        "events read until the first delete, at the most" + of,
                        "events",
                        Target.REPORTED,
                        rounds.stream().map(round -> round.of(0).read()).toList()));
    }

    /** Against the store ordered by time, or alone where that is not measured. */
    private static Figure figure(
            String id, String name, Target target, List<Duel.Round<Change>> rounds, ToDoubleFunction<Change> part) {
        boolean isAlone = rounds.get(0).results().size() == 1;
        return isAlone
                ? Figure.alone(
                        id,
                        name,
                        "s",
                        target,
                        rounds.stream()
                                .map(round -> part.applyAsDouble(round.of(0)))
                                .toList())
                : Figure.of(id, name, "s", INDEX, target, rounds, 1, part);
    }
}
