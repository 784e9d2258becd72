package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import java.util.List;
import java.util.function.Consumer;

/**
 * B-17: an erasure that reads everything and finds nothing, from its command to its result, against a plain scan of the
 * same stores that ignores the events.
 */
public final class EraseBenchmark implements Benchmark {

    private static final int SHORT_EVENTS = 300_000;
    private static final int LONG_EVENTS = 5_000_000;
    private static final int STREAMS = 10_000;
    private static final double LEAST = 200_000;

    @Override
    public String id() {
        return "B-17";
    }

    @Override
    public String title() {
        return "events that an erasure reads, against a plain scan of the stores";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("erase");
            Workload workload = new Workload(
                    settings.seed(),
                    settings.fewerEvents(SHORT_EVENTS, LONG_EVENTS),
                    STREAMS,
                    lane.partitions(),
                    System.currentTimeMillis());
            InputTopic input = InputTopic.fill(lane, workload, progress);
            Duel<Rate> duel = new Duel<>(
                    List.of(ReadTrial.ofErasure(input), ReadTrial.ofScan(input)),
                    Rate::perSecond,
                    "events/s",
                    progress);
            duel.warmUp(settings, 1);
            return List.of(Figure.of(
                    "B-17",
                    "erasure, events read",
                    "events/s",
                    "a plain scan of the stores",
                    Target.valueAtLeast(LEAST, 2 * LEAST),
                    duel.run(settings, settings.pairs()),
                    1,
                    Rate::perSecond));
        }
    }
}
