package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.SliceCpu;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.InputTopic;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** An application that sweeps by slices of one partition each: the slices of one window. */
interface SlicedIdle extends IdleSide {

    Duration WINDOW = Duration.ofSeconds(10);

    /** Time between two slices of a practising application. */
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

    /** Returns the time of the slices of all partitions, in microseconds. */
    default double microsPerSweep() {
        return slices().microsPerSlice() * input().lane().partitions();
    }
}
