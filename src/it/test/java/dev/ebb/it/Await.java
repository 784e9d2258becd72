package dev.ebb.it;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what other processes bring about. */
public final class Await {

    /** Generous: the machine may be busy with other things. */
    static final Duration PATIENCE = Duration.ofSeconds(120);

    private static final long PAUSE_MS = 50;
    private static final long LONGEST_PAUSE_MS = 500;

    private Await() {}

    /** Until the condition holds, with the usual patience; a failure to find out does not make it hold. */
    public static void until(Callable<Boolean> condition) throws InterruptedException {
        until("the condition", () -> condition.call() ? "" : "it");
    }

    /** Awaits with the usual patience. */
    public static void until(String what, Callable<String> missing) throws InterruptedException {
        until(what, PATIENCE, missing);
    }

    /**
     * Returns when nothing is missing any more.
     *
     * @param what the awaited state, for the message
     * @param missing says what is still missing; an empty text says nothing is, an exception says itself
     */
    public static void until(String what, Duration patience, Callable<String> missing) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        long begin = System.nanoTime();
        String last = look(missing);
        while (!last.isEmpty()) {
            long now = System.nanoTime();
            if (now - end > 0) {
                throw new AssertionError("not within " + patience.toSeconds() + " s: " + what + "; missing: " + last);
            }
            Thread.sleep(pauseMs(now - begin));
            begin = System.nanoTime();
            last = look(missing);
        }
    }

    /** Twice what the look took: it must not keep those from work that bring the state about. */
    private static long pauseMs(long lookNanos) {
        return Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, 2 * lookNanos / 1_000_000));
    }

    private static String look(Callable<String> missing) throws InterruptedException {
        try {
            return missing.call();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return e.toString();
        }
    }
}
