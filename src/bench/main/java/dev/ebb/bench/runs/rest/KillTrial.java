package dev.ebb.bench.runs.rest;

import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.EbbProcess;
import dev.ebb.bench.stack.InputTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The application takes an input in and is killed repeatedly, each time at another distance from its last commit. The
 * result is the time from each kill until the application is ready, in seconds. It must have all events each time.
 */
final class KillTrial {

    private static final long POLL_MS = 20;
    private static final long STEP_MS = 700;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private KillTrial() {}

    static List<Double> run(InputTopic input, int kills, Consumer<String> progress) throws InterruptedException {
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
                awaitEvents(app, input.expected().events());
            }
        }
        return seconds;
    }

    private static void awaitEvents(EbbProcess app, long expected) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (app.events() != expected) {
            if (System.nanoTime() > end) {
                throw new VoidRunException("it has " + app.events() + " of " + expected + " events");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }
}
