package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.Commands;
import dev.ebb.bench.stack.Deletions;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.EbbStores;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import dev.ebb.config.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Ebb takes everything in and keeps it; then all events are read in one way. Only the reading is measured.
 *
 * @param reading reads all events of the stores once, and returns the time
 */
record ReadTrial(InputTopic input, String name, Reading reading) implements Trial<Rate> {

    /** Without the brake an erasure reads the stores once; with it, once more before anything goes. */
    private static final Map<String, String> READ_ONCE = Map.of(Settings.BRAKE_MAX_SHARE.key(), "100");

    /** Reads all events of the stores once. */
    @FunctionalInterface
    interface Reading {

        Duration read(EbbApp app) throws InterruptedException;
    }

    /** Returns a trial that erases the events of a person without events, so that only the reading remains. */
    static ReadTrial ofErasure(InputTopic input) {
        return new ReadTrial(input, "ebb", app -> new Commands(input.lane()).erase("metadata.user=nobody"));
    }

    /** Returns a trial that scans partitions in parallel, at the speed of their iterators. */
    static ReadTrial ofScan(InputTopic input) {
        return new ReadTrial(input, "scan", app -> scan(app, input));
    }

    @Override
    public Rate run() throws InterruptedException {
        Lane lane = input.lane();
        lane.renewTopics();
        try (EbbApp app = EbbApp.start(lane, Policies.KEEP, new Deletions(), () -> {}, READ_ONCE)) {
            app.take(input.lastOffsets());
            TimeUnit.MILLISECONDS.sleep(EbbChangeTrial.SETTLE.toMillis());
            CpuMeter cpu = lane.stack().cpu();
            Duration before = cpu.used();
            Duration took = reading.read(app);
            Duration used = cpu.used().minus(before);
            app.requireContents(input.expected());
            return new Rate(input.expected().events(), took, used);
        }
    }

    private static Duration scan(EbbApp app, InputTopic input) {
        long begin = System.nanoTime();
        long events = IntStream.range(0, input.lane().partitions())
                .parallel()
                .mapToLong(partition -> EbbStores.scan(app.streams(), partition))
                .sum();
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        if (events != input.expected().events()) {
            throw new VoidRunException("the scan has seen " + events + " events");
        }
        return took;
    }
}
