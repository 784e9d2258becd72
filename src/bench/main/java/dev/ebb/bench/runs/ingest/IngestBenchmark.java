package dev.ebb.bench.runs.ingest;

import static dev.ebb.bench.harness.Target.REPORTED;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Versus;
import dev.ebb.bench.opponents.ExpiryIndexApp;
import dev.ebb.bench.opponents.KeepEverythingApp;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * B-1: how fast events come from the topic into store, usage, changelog and mirror, exactly once, against an application
 * that keeps a second store ordered by time, and against one that keeps everything and never deletes.
 */
public final class IngestBenchmark {

    private static final int STREAMS = 1000;

    /** With fewer, much of what is measured is the beginning of an application. */
    private static final int SHORT_EVENTS = 400_000;

    private static final int LONG_EVENTS = 2_000_000;

    private IngestBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("ingest");
            int events = settings.events(SHORT_EVENTS, LONG_EVENTS);
            InputTopic input = InputTopic.fill(lane, settings.workload(events, STREAMS, lane.partitions()));
            Duel<Rate> duel = new Duel<>(
                    List.of(
                            new DrainTrial(EbbApp.NAME, input, EbbApp::keeping),
                            new DrainTrial(ExpiryIndexApp.NAME, input, ExpiryIndexApp::new),
                            new DrainTrial(KeepEverythingApp.NAME, input, KeepEverythingApp::new)),
                    Rate::perSecond,
                    "events/s",
                    progress);
            duel.warmUpEach(settings);
            return figures(duel.run(settings, settings.pairs()));
        }
    }

    /** CPU time has the targets: on a machine that others share, time on the clock is theirs as well. */
    private static List<Figure> figures(List<Duel.Round<Rate>> rounds) {
        Versus<Rate> index = new Versus<>(ExpiryIndexApp.TITLE, rounds, 1);
        Versus<Rate> keep = new Versus<>(KeepEverythingApp.NAME, rounds, 2);
        List<Figure> figures = new ArrayList<>();
        figures.addAll(Versus.rates(index, "B-1", "ingest", "events", REPORTED, Target.ratioAtLeast(1.3, 1.5)));
        figures.addAll(Versus.rates(keep, "B-1-keep", "ingest", "events", REPORTED, Target.ratioAtLeast(1.0, 1.2)));
        return figures;
    }
}
