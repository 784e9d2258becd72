package dev.ebb.bench.runs;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.opponents.EbbContender;
import dev.ebb.bench.opponents.ExpiryIndexContender;
import dev.ebb.bench.opponents.KeepEverythingContender;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * B-1: how fast events come from the topic into store, usage, changelog and mirror, exactly once, against an application
 * that keeps everything and never deletes, and beside it against one that keeps a second store ordered by time.
 */
final class IngestBenchmark implements Benchmark {

    /** Nothing is due by it; late events go before others that are stored already. */
    static final RetentionPolicy MONTH_FROM_OCCURRED =
            RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build();

    private static final String AGAINST = "keep-everything";
    private static final String INDEX = "a store ordered by time";
    private static final Quantity EVENTS = new Quantity("ingest", "events/s", Rate::perSecond);
    private static final Quantity CPU =
            new Quantity("ingest, CPU of all processes", "events/CPU-s", Rate::perCpuSecond);
    private static final Target TARGET = Target.ratioAtLeast(0.85, 1.0);
    private static final int STREAMS = 1000;

    /** With fewer, much of what is measured is the beginning of an application. */
    private static final int SHORT_EVENTS = 1_000_000;

    private static final int LONG_EVENTS = 2_000_000;

    @Override
    public String id() {
        return "B-1";
    }

    @Override
    public String title() {
        return "ingest, exactly once, against an application that keeps everything";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("ingest");
            InputTopic input = InputTopic.fill(lane, workload(settings, lane), progress);
            Duel<Rate> duel = new Duel<>(
                    List.of(
                            new DrainTrial(input, new EbbContender(lane, MONTH_FROM_OCCURRED)),
                            new DrainTrial(input, new KeepEverythingContender(stack.records())),
                            new DrainTrial(input, new ExpiryIndexContender(lane))),
                    Rate::perSecond,
                    "events/s",
                    progress);
            duel.warmUpEach();
            return figures(duel.run(settings.pairs()));
        }
    }

    /** The events, which are those of B-2 as well. */
    static Workload workload(BenchSettings settings, Lane lane) {
        return settings.workload(settings.events(SHORT_EVENTS, LONG_EVENTS), STREAMS, lane.partitions());
    }

    private static List<Figure> figures(List<Duel.Round<Rate>> rounds) {
        return List.of(
                figure("B-1", EVENTS, AGAINST, TARGET, rounds, 1),
                figure("B-1-cpu", CPU, AGAINST, TARGET, rounds, 1),
                figure("B-1-index", EVENTS, INDEX, Target.REPORTED, rounds, 2),
                figure("B-1-index-cpu", CPU, INDEX, Target.REPORTED, rounds, 2));
    }

    private static Figure figure(
            String id, Quantity quantity, String against, Target target, List<Duel.Round<Rate>> rounds, int opponent) {
        return Figure.of(id, quantity.name(), quantity.unit(), against, target, rounds, opponent, quantity.part());
    }

    /** A part of a rate that is shown. */
    private record Quantity(String name, String unit, ToDoubleFunction<Rate> part) {}
}
