package dev.ebb.bench.harness;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Waits until earlier work has been finished: merges of files, checkpoints, the broker's log cleaner. Where only a part
 * of a run is measured, leftovers of the part before would count too, and more in one run than in another.
 */
@FunctionalInterface
public interface Quiet {

    Duration WINDOW = Duration.ofSeconds(1);

    /** Idle processes together use less of a core in one window. */
    Duration MOST_IN_A_WINDOW = Duration.ofMillis(200);

    /** Quiet windows in a row; the log cleaner must check more often than this takes. */
    int WINDOWS = 5;

    int MOST_WINDOWS = 300;

    /** CPU time of all processes. */
    @FunctionalInterface
    interface Windows {

        /** Waits for the end of the next window, and returns its CPU time. */
        Duration next() throws InterruptedException;
    }

    /** @throws VoidRunException if the processes are still busy after five minutes */
    void await() throws InterruptedException;

    /** Returns a wait for the processes that the meter covers when the wait begins. */
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
