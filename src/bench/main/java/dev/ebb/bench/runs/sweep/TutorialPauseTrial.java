package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.opponents.TutorialContender;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.bench.stack.EventSender;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.ThreadWatch;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The tutorial's application, which expires everything in its next scan. */
final class TutorialPauseTrial implements Trial<Pauses> {

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final Duration SCAN_EVERY = Duration.ofSeconds(5);
    private static final long POLL_MS = 100;

    private final Lane lane;
    private final Workload workload;

    TutorialPauseTrial(Lane lane, Workload workload) {
        this.lane = lane;
        this.workload = workload;
    }

    @Override
    public String name() {
        return "tutorial";
    }

    /** Needs a new input for each run, since the tutorial writes its tombstones to its input. */
    @Override
    public Pauses run() throws InterruptedException {
        InputTopic input = InputTopic.fill(lane, workload, EventSender.BY_IDENTITY, line -> {});
        AtomicLong maxAgeMs = new AtomicLong(Duration.ofDays(30).toMillis());
        var contender = new TutorialContender(lane, maxAgeMs::get, SCAN_EVERY, (partition, cpuNanos) -> {});
        DrainWatch watch = new DrainWatch(input.lastOffsets());
        var config = lane.newConfig(name(), contender.settings());
        try (var application = new Application(config, contender.topology(config, watch), watch::failed)) {
            application.start();
            watch.awaitLast(LIMIT);
            application.threads().reset();
            maxAgeMs.set(0);
            awaitEmpty(contender, application);
            ThreadWatch threads = application.threads();
            double pause = EbbPauseTrial.millis(threads.longestWork());
            double cpu = EbbPauseTrial.millis(threads.longestWorkCpu());
            return new Pauses(pause, EbbPauseTrial.millis(threads.longestPause()), cpu, pause, cpu);
        }
    }

    private static void awaitEmpty(TutorialContender contender, Application application) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!contender.isEmpty(application)) {
            if (System.nanoTime() > end) {
                throw new VoidRunException("the table was not emptied within " + LIMIT.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }
}
