package dev.ebb.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * B-1: how fast events come from the topic into store, usage, changelog and mirror, exactly once, against an application
 * that keeps everything and never deletes.
 */
final class IngestBenchmark implements Benchmark {

    private static final String ID = "B-1";
    private static final String AGAINST = "keep-everything";
    private static final Target TARGET = new Target(0.85);
    private static final int STREAMS = 1000;
    private static final Duration WARM_UP = Duration.ofSeconds(20);

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "ingest, exactly once, against an application that keeps everything";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            progress.accept(
                    String.format(Locale.ROOT, "filling the topic with %,d events", settings.eventsOrDefault()));
            InputTopic input = InputTopic.fill(stack, workload(settings, stack));
            Duel duel = new Duel(
                    new Drain(stack, input),
                    new EbbContender(stack),
                    new KeepEverythingContender(stack.records()),
                    progress);
            duel.warmUp(WARM_UP);
            return figures(duel.run(settings.pairs()));
        }
    }

    private static Workload workload(BenchSettings settings, BenchStack stack) {
        return new Workload(
                settings.seed(),
                settings.eventsOrDefault(),
                STREAMS,
                stack.topics().partitions(),
                System.currentTimeMillis());
    }

    private static List<Figure> figures(List<Duel.Round> rounds) {
        return List.of(
                figure(ID, "ingest", "events/s", rounds, DrainResult::perSecond),
                figure(ID + "-cpu", "ingest, CPU of all processes", "events/CPU-s", rounds, DrainResult::perCpuSecond));
    }

    private static Figure figure(
            String id, String name, String unit, List<Duel.Round> rounds, ToDoubleFunction<DrainResult> part) {
        List<Figure.Pair> pairs = new ArrayList<>();
        for (Duel.Round round : rounds) {
            pairs.add(new Figure.Pair(part.applyAsDouble(round.first()), part.applyAsDouble(round.second())));
        }
        return Figure.of(id, name, unit, AGAINST, TARGET, pairs);
    }
}
