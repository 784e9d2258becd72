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
import dev.ebb.bench.runs.sweep.PostgresSweepTrial.Way;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.devstack.process.Service;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * B-3: the rate at which events go that fall due at once, with all records that belong to a delete, against PostgreSQL
 * that deletes the same events and tells nobody.
 */
public final class SweepBenchmark {

    private static final int STREAMS = 1000;
    private static final int SHORT_EVENTS = 300_000;
    private static final int LONG_EVENTS = 1_000_000;

    private SweepBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), EnumSet.of(Service.POSTGRES), progress)) {
            Lane lane = stack.lane("sweep");
            int events = settings.events(SHORT_EVENTS, LONG_EVENTS);
            // The table knows no own TTL, and events that have one stay anyway.
            Workload workload =
                    settings.workload(events, STREAMS, lane.partitions()).with(Mix.USUAL.withoutTtl());
            Trial<Rate> ebb = new EbbSweepTrial(InputTopic.fill(lane, workload));
            Duel<Rate> cursor =
                    duel(progress, List.of(ebb, new PostgresSweepTrial(Way.CURSOR, stack, workload)));
            Duel<Rate> others = duel(
                    progress,
                    List.of(
                            ebb,
                            new PostgresSweepTrial(Way.ONCE, stack, workload),
                            new PostgresSweepTrial(Way.PARTITION, stack, workload)));
            cursor.warmUpEach(settings);
            List<Duel.Round<Rate>> rounds = cursor.run(settings, settings.pairs());
            others.warmUpOpponents(settings);
            return figures(rounds, others.run(settings, settings.reportedPairs()));
        }
    }

    private static Duel<Rate> duel(Consumer<String> progress, List<Trial<Rate>> trials) {
        return new Duel<>(trials, Rate::perSecond, "deletes/s", progress);
    }

    private static List<Figure> figures(List<Duel.Round<Rate>> rounds, List<Duel.Round<Rate>> others) {
        List<Figure> figures = new ArrayList<>(rates("B-3-bare", new Versus<>(Way.CURSOR.title(), rounds)));
        if (!others.isEmpty()) {
            figures.addAll(rates("B-3-bare-once", new Versus<>(Way.ONCE.title(), others)));
            figures.addAll(rates("B-3-bare-partition", new Versus<>(Way.PARTITION.title(), others, 2)));
        }
        return figures;
    }

    private static List<Figure> rates(String id, Versus<Rate> versus) {
        return Versus.rates(versus, id, "sweep", "deletes", Target.REPORTED, Target.REPORTED);
    }
}
