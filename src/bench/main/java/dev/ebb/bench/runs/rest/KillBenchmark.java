package dev.ebb.bench.runs.rest;

import dev.ebb.bench.harness.Awaiting;
import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbProcess;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * B-11-kill: the application takes an input in and is killed repeatedly, each time at another distance from its last
 * commit: the time from each kill until the application is ready again. It must have all events each time.
 */
public final class KillBenchmark {

    private static final int SHORT_EVENTS = 400_000;
    private static final int LONG_EVENTS = 10_000_000;
    private static final int STREAMS = 1000;
    private static final int KILLS = 5;
    private static final int SHORT_KILLS = 2;
    private static final long STEP_MS = 700;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private KillBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        int events = settings.events(SHORT_EVENTS, LONG_EVENTS);
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("killed");
            InputTopic input = InputTopic.fill(lane, settings.workload(events, STREAMS, lane.partitions()));
            List<Double> seconds = kill(input, settings.byLength(1, SHORT_KILLS, KILLS), progress);
            String name = String.format(Locale.ROOT, "restart after kill -9, %,d events", events);
            return List.of(Figure.alone("B-11-kill", name, "s", Target.valueAtMost(15, 5), seconds));
        }
    }

    private static List<Double> kill(InputTopic input, int kills, Consumer<String> progress)
            throws InterruptedException {
        List<Double> seconds = new ArrayList<>();
        input.lane().renewTopics();
        try (EbbProcess app = EbbProcess.start(input.lane())) {
            app.take(input.lastOffsets());
            for (int kill = 0; kill < kills; kill++) {
                TimeUnit.MILLISECONDS.sleep(kill * STEP_MS);
                long begin = System.nanoTime();
                app.kill();
                app.startAgain();
                seconds.add((System.nanoTime() - begin) / 1e9);
                progress.accept(String.format(Locale.ROOT, "restart after kill -9: %.1f s", seconds.get(kill)));
                Awaiting.until(() -> app.events() == input.expected().events(), LIMIT, "events are missing");
            }
        }
        return seconds;
    }
}
