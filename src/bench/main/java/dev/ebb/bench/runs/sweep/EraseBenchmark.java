package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.Commands;
import dev.ebb.bench.stack.Deletions;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import dev.ebb.config.Settings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** B-17: an erasure that reads everything and finds nothing, from its command to its result. */
public final class EraseBenchmark {

    private static final int SHORT_EVENTS = 300_000;
    private static final int LONG_EVENTS = 5_000_000;
    private static final int STREAMS = 10_000;
    private static final double LEAST = 200_000;

    private EraseBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("erase");
            int events = settings.fewerEvents(SHORT_EVENTS, LONG_EVENTS);
            InputTopic input = InputTopic.fill(lane, settings.workload(events, STREAMS, lane.partitions()));
            Duel<Double> duel = new Duel<>(List.of(new EraseTrial(input)), rate -> rate, "events/s", progress);
            duel.warmUp(settings, 1);
            List<Double> rates = duel.run(settings, settings.pairs()).stream()
                    .map(round -> round.of(0))
                    .toList();
            Target target = Target.valueAtLeast(LEAST, 2 * LEAST);
            return List.of(Figure.alone("B-17", "erasure, events read", "events/s", target, rates));
        }
    }

    /** Erases the events of a person without events, so that only the reading remains; the result is events a second. */
    private record EraseTrial(InputTopic input) implements Trial<Double> {

        private static final long SETTLE_MS = 2000;

        /** Without the brake an erasure reads the stores once; with it, once more before anything goes. */
        private static final Map<String, String> READ_ONCE = Map.of(Settings.BRAKE_MAX_SHARE.key(), "100");

        @Override
        public String name() {
            return EbbApp.NAME;
        }

        @Override
        public Double run() throws InterruptedException {
            Lane lane = input.lane();
            lane.renewTopics();
            try (EbbApp app = EbbApp.start(lane, Policies.KEEP, new Deletions(), READ_ONCE)) {
                app.take(input.lastOffsets());
                TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
                long nanos = new Commands(lane).erase("metadata.user=nobody").toNanos();
                app.requireContents(input.expected());
                return input.expected().events() * 1e9 / nanos;
            }
        }
    }
}
