package dev.ebb.bench.harness;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits for conditions without a notice. */
public final class Awaiting {

    private static final long POLL_MS = 20;

    private Awaiting() {}

    /** A condition that is asked for again and again. */
    @FunctionalInterface
    public interface Condition<E extends Exception> {

        boolean isMet() throws E, InterruptedException;
    }

    /**
     * Waits until the condition is met.
     *
     * @param otherwise says what has not happened, as in "the input was not committed"
     * @throws VoidRunException if the condition is not met within the limit
     */
    public static <E extends Exception> void until(Condition<E> condition, Duration limit, String otherwise)
            throws E, InterruptedException {
        long begin = System.nanoTime();
        while (!condition.isMet()) {
            if (System.nanoTime() - begin > limit.toNanos()) {
                throw new VoidRunException(otherwise + " within " + limit.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }
}
