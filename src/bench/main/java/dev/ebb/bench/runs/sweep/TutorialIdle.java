package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.opponents.TutorialContender;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.bench.stack.InputTopic;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The tutorial: the next scan of each partition. */
record TutorialIdle(InputTopic input, Application application, TutorialContender contender, Scanned scanned)
        implements IdleSide {

    private static final Duration SCAN_EVERY = Duration.ofSeconds(3);
    private static final long POLL_MS = 20;

    static TutorialIdle start(InputTopic input) throws InterruptedException {
        Scanned scanned = new Scanned(new AtomicLong(), new AtomicLong());
        long maxAgeMs = Duration.ofDays(30).toMillis();
        var contender = new TutorialContender(input.lane(), () -> maxAgeMs, SCAN_EVERY, scanned::add);
        DrainWatch watch = new DrainWatch(input.lastOffsets());
        var config = input.lane().newConfig(contender.name(), contender.settings());
        var application = new Application(config, contender.topology(config, watch), watch::failed);
        application.start();
        watch.awaitLast(LIMIT);
        return new TutorialIdle(input, application, contender, scanned);
    }

    @Override
    public String name() {
        return "tutorial";
    }

    @Override
    public Double run() throws InterruptedException {
        int partitions = input.lane().partitions();
        scanned.count().set(0);
        scanned.cpuNanos().set(0);
        while (scanned.count().get() < partitions) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        return scanned.cpuNanos().get() / 1e3 / scanned.count().get() * partitions;
    }

    @Override
    public void verify() {
        VoidRunException.requireSame(name(), contender.contents(application), input.expected());
    }

    @Override
    public void close() {
        application.close();
    }

    private record Scanned(AtomicLong count, AtomicLong cpuNanos) {

        void add(int partition, long nanos) {
            cpuNanos.addAndGet(nanos);
            count.incrementAndGet();
        }
    }
}
