package dev.ebb.bench.harness;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Waits until earlier work has been worked off: files that are merged, checkpoints, the broker's log cleaner. Where a
 * part of a run is measured, leftovers of the part before it would count as well, in one run more than in another.
 */
@FunctionalInterface
public interface Quiet {

    Duration WINDOW = Duration.ofSeconds(1);

    /** Idle processes together take less of a core. */
    Duration MOST_IN_A_WINDOW = Duration.ofMillis(200);

    /** Windows in a row: the log cleaner must look more often meanwhile. */
    int WINDOWS = 5;

    int MOST_WINDOWS = 300;

    /** CPU time of all processes. */
    @FunctionalInterface
    interface Windows {

        /** The CPU time of the next window, when that is over. */
        Duration next() throws InterruptedException;
    }

    /** @throws VoidRunException if the processes are still at work after five minutes */
    void await() throws InterruptedException;

    /** Waits for the processes that are metered then. */
    static Quiet of(Supplier<CpuMeter> meter) {
        return () -> {
            CpuMeter cpu = meter.get();
            await(() -> {
                Duration before = cpu.used();
                TimeUnit.MILLISECONDS.sleep(WINDOW.toMillis());
                return cpu.used().minus(before);
            });
        };
    }

    static void await(Windows windows) throws InterruptedException {
        int quiet = 0;
        for (int window = 0; quiet < WINDOWS; window++) {
            if (window == MOST_WINDOWS) {
                throw new VoidRunException("the processes are still at work after " + MOST_WINDOWS + " s");
            }
            quiet = windows.next().compareTo(MOST_IN_A_WINDOW) <= 0 ? quiet + 1 : 0;
        }
    }
}
