package dev.ebb.devstack;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for a condition that another process brings about. */
public final class Await {
    private Await() {}

    public static void until(String what, Duration limit, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + limit.toSeconds() + " s: " + what);
            }
            Thread.sleep(20);
        }
    }
}
