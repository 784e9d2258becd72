package dev.ebb.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.time.Duration;

/** Looks whether an object is kept by anything. */
public final class Forgotten {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final long PAUSE_MS = 20;

    private Forgotten() {}

    /** Collects garbage until the object has gone: a thread that has done its work keeps what it knew until it has ended. */
    public static void await(WeakReference<?> object) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        System.gc();
        while (object.get() != null && System.nanoTime() < end) {
            Thread.sleep(PAUSE_MS);
            System.gc();
        }
        assertThat(object.get()).isNull();
    }
}
