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
 * that deletes the same events without a message to others.
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
            List<Trial<Rate>> trials = new ArrayList<>();
            trials.add(new EbbSweepTrial(InputTopic.fill(lane, workload)));
            ways(settings).forEach(way -> trials.add(new PostgresSweepTrial(way, stack, workload)));
            Duel<Rate> duel = new Duel<>(trials, Rate::perSecond, "deletes/s", progress);
            duel.warmUpEach(settings);
            List<Duel.Round<Rate>> rounds = duel.run(settings, settings.pairs());
            return ways(settings).stream()
                    .flatMap(way -> rates(way, rounds).stream())
                    .toList();
        }
    }

    private static List<Way> ways(BenchSettings settings) {
        return settings.hasReported() ? List.of(Way.values()) : List.of(Way.CURSOR);
    }

    private static List<Figure> rates(Way way, List<Duel.Round<Rate>> rounds) {
        Versus<Rate> versus = new Versus<>(way.title(), rounds, 1 + way.ordinal());
        return Versus.rates(versus, way.id(), "sweep", "deletes", Target.REPORTED, Target.REPORTED);
    }
}
