package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.Commands;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.EbbStores;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Ebb takes everything in and keeps it; then all of it is read in one way. Measured is the reading alone.
 *
 * @param reading reads all events of the stores once, and says for how long
 */
record ReadTrial(InputTopic input, String name, Reading reading) implements Trial<Rate> {

    /** Reads all events of the stores once. */
    @FunctionalInterface
    interface Reading {

        Duration read(EbbApp app) throws InterruptedException;
    }

    /** The events of a person of whom there are none are erased, so that reading is all that is done. */
    static ReadTrial ofErasure(InputTopic input) {
        return new ReadTrial(input, "ebb", app -> new Commands(input.lane()).erase("metadata.user=nobody"));
    }

    /** A scan, partitions side by side, as fast as iterators go. */
    static ReadTrial ofScan(InputTopic input) {
        return new ReadTrial(input, "scan", app -> scan(app, input));
    }

    @Override
    public Rate run() throws InterruptedException {
        Lane lane = input.lane();
        lane.renewTopics();
        try (EbbApp app = EbbApp.start(lane, Policies.KEEP)) {
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
