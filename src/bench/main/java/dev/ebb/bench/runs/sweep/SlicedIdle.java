package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.SliceCpu;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.InputTopic;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** An application that sweeps by slices, each of one partition: those of one window. */
interface SlicedIdle extends IdleSide {

    Duration WINDOW = Duration.ofSeconds(10);

    /** Time between two slices of an application that practises. */
    Duration PRACTICE_PERIOD = Duration.ofMillis(1);

    InputTopic input();

    SliceCpu slices();

    @Override
    default Double run() throws InterruptedException {
        slices().reset();
        TimeUnit.MILLISECONDS.sleep(WINDOW.toMillis());
        if (slices().slices() < input().lane().partitions()) {
            throw new VoidRunException("there were " + slices().slices() + " sweeps within " + WINDOW);
        }
        return microsPerSweep();
    }

    /** Microseconds of the slices of all partitions. */
    default double microsPerSweep() {
        return slices().microsPerSlice() * input().lane().partitions();
    }
}
