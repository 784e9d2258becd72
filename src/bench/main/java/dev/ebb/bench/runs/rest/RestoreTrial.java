package dev.ebb.bench.runs.rest;

import dev.ebb.bench.harness.Awaiting;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.stack.App;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.MergeThreads;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/**
 * An application drains its input once. Then, in each run, its local state is deleted and it starts again; the time is
 * measured from the first record of its changelogs until the restored data is merged.
 */
record RestoreTrial(String name, InputTopic input, App.Maker maker, String applicationId) implements Trial<Rate> {

    private static final Duration LIMIT = Duration.ofMinutes(30);

    /** Drains the input and returns the trial. */
    static RestoreTrial prepare(String name, InputTopic input, App.Maker maker) throws InterruptedException {
        input.lane().renewTopics();
        RestoreTrial trial = new RestoreTrial(name, input, maker, input.lane().newId(name));
        App app = trial.app();
        app.start();
        app.awaitTaken(input.lastOffsets());
        app.application().stop();
        return trial;
    }

    private App app() throws InterruptedException {
        return maker.make(input.lane(), applicationId);
    }

    @Override
    public Rate run() throws InterruptedException {
        CpuMeter cpu = input.lane().stack().cpu();
        Restored restored = new Restored();
        try (App app = app()) {
            app.streams().cleanUp();
            app.streams().setGlobalStateRestoreListener(restored);
            app.start();
            Duration cpuBefore = cpu.used();
            Awaiting.until(() -> isReady(app, restored), LIMIT, "the state was not restored");
            Rate rate = merged(restored, cpu, cpuBefore);
            app.requireContents(input.expected());
            return rate;
        }
    }

    private static boolean isReady(App app, Restored restored) {
        app.check();
        return restored.isDone() && app.application().isRunning();
    }

    private Rate merged(Restored restored, CpuMeter cpu, Duration cpuBefore) throws InterruptedException {
        AtomicReference<Rate> merged = new AtomicReference<>();
        new MergeThreads()
                .awaitRest(() -> merged.set(new Rate(
                        input.expected().events(),
                        restored.sinceBegin(),
                        cpu.used().minus(cpuBefore))));
        return Objects.requireNonNull(merged.get());
    }

    /** Knows the beginning of the first restore, and whether all have ended; without global stores. Thread-safe. */
    private static final class Restored implements StateRestoreListener {

        private long beginNanos;
        private int started;
        private int ended;

        @Override
        public synchronized void onRestoreStart(TopicPartition changelog, String store, long from, long to) {
            if (isOfTask(changelog)) {
                started++;
                beginNanos = started == 1 ? System.nanoTime() : beginNanos;
            }
        }

        @Override
        public void onBatchRestored(TopicPartition changelog, String store, long end, long count) {}

        @Override
        public synchronized void onRestoreEnd(TopicPartition changelog, String store, long total) {
            if (isOfTask(changelog)) {
                ended++;
            }
        }

        private static boolean isOfTask(TopicPartition changelog) {
            return changelog.topic().endsWith("-changelog");
        }

        /** Returns true if every restore that has begun has ended. */
        synchronized boolean isDone() {
            return started > 0 && started == ended;
        }

        /** Returns the time from the beginning of the first restore until now. */
        synchronized Duration sinceBegin() {
            return Duration.ofNanos(System.nanoTime() - beginNanos);
        }
    }
}
