package dev.ebb.bench.runs;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.opponents.EbbContender;
import dev.ebb.bench.opponents.KeepEverythingContender;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.util.List;
import java.util.function.Consumer;

/**
 * B-1: how fast events come from the topic into store, usage, changelog and mirror, exactly once, against an application
 * that keeps everything and never deletes.
 */
final class IngestBenchmark implements Benchmark {

    /** Nothing is due by it; late events go before others that are stored already. */
    static final RetentionPolicy MONTH_FROM_OCCURRED =
            RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build();

    private static final String AGAINST = "keep-everything";
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
                            new DrainTrial(input, new KeepEverythingContender(stack.records()))),
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
                Figure.of("B-1", "ingest", "events/s", AGAINST, TARGET, rounds, 1, Rate::perSecond),
                Figure.of(
                        "B-1-cpu",
                        "ingest, CPU of all processes",
                        "events/CPU-s",
                        AGAINST,
                        TARGET,
                        rounds,
                        1,
                        Rate::perCpuSecond));
    }
}
