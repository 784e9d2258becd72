package dev.ebb.bench.runs.rest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbProcess;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * B-21: an instance with four partitions and nothing to do. It has taken events in, so that all of its parts have been
 * at work and its groups have offsets, and no event falls due.
 */
public final class RestingBenchmark {

    private static final int EVENTS = 20_000;
    private static final int STREAMS = 1000;
    private static final int PARTITIONS = 4;

    /** Time in which the instance compiles the code that it has used, and the broker compacts what it has received. */
    private static final Duration SETTLE = Duration.ofMinutes(2);

    /** Wait if all measurements run in a row: the compiler is still partly busy. */
    private static final Duration SHORT_SETTLE = Duration.ofSeconds(40);

    private static final Duration ONCE = Duration.ofSeconds(5);

    private static final Duration SHORT_WINDOW = Duration.ofSeconds(40);
    private static final Duration LONG_WINDOW = Duration.ofMinutes(5);
    private static final double PERCENT = 100;

    private RestingBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("resting", PARTITIONS);
            InputTopic input =
                    InputTopic.fill(lane, settings.workload(settings.events(EVENTS, EVENTS), STREAMS, PARTITIONS));
            new Policies(lane).putInForce(Policies.MONTH_FROM_OCCURRED);
            try (EbbProcess app = EbbProcess.start(lane)) {
                app.take(input.lastOffsets());
                Duration settle = settings.byLength(ONCE, settings.isWhole() ? SHORT_SETTLE : SETTLE, SETTLE);
                progress.accept("all taken in, settling for " + settle.toSeconds() + " s");
                TimeUnit.MILLISECONDS.sleep(settle.toMillis());
                return measure(app.pid(), settings.byLength(ONCE, SHORT_WINDOW, LONG_WINDOW));
            }
        }
    }

    private static List<Figure> measure(long app, Duration window) throws InterruptedException {
        Duration before = CpuMeter.of(app);
        long begin = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(window.toMillis());
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        List<Double> used = List.of(percent(CpuMeter.of(app).minus(before), took));
        return List.of(
                Figure.alone("B-21", "CPU of an idle instance", "% of a core", Target.valueAtMost(1, 0.3), used));
    }

    private static double percent(Duration used, Duration took) {
        return PERCENT * used.toNanos() / took.toNanos();
    }
}
