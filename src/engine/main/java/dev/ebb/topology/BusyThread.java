package dev.ebb.topology;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Tells if tasks of the current stream thread have more to do than take records in, such as a sweep, and when they look
 * next if there is something. A poll of the thread then waits for records only as long as that allows. The other way round,
 * polls tell whether records wait. Each thread knows of itself alone.
 */
public final class BusyThread {

    private static final ThreadLocal<BusyThread> CURRENT = ThreadLocal.withInitial(BusyThread::new);

    private int tasks;
    private long turns;
    private long shortPolls;
    private long firstTurnMs;
    private long periodMs;

    private BusyThread() {}

    /** Notes that a task of this thread has something to do from now on; {@link #leave} follows. */
    static void enter() {
        CURRENT.get().tasks++;
    }

    /** Notes that a task of this thread has nothing more to do. */
    static void leave() {
        CURRENT.get().tasks--;
    }

    /** Notes that a task of this thread has its turn: it may write something that must be committed. */
    static void turn() {
        CURRENT.get().turns++;
    }

    /** Notes when tasks of this thread look for work: at that time and after each period. */
    static void looks(long firstMs, Duration period) {
        BusyThread thread = CURRENT.get();
        thread.firstTurnMs = firstMs;
        thread.periodMs = period.toMillis();
    }

    /** Notes that a poll of the current thread has brought so few records that none waits behind them. */
    public static void caughtUp() {
        CURRENT.get().shortPolls++;
    }

    /** Number of polls of the current thread after which no record waited. */
    static long shortPolls() {
        return CURRENT.get().shortPolls;
    }

    /** Returns true if a task of the current thread has something to do. */
    public static boolean isCurrent() {
        return CURRENT.get().tasks > 0;
    }

    /** Number of turns that tasks of the current thread have had. */
    public static long turns() {
        return CURRENT.get().turns;
    }

    /** Time until tasks of the current thread look for work again, in milliseconds, at least 1; empty if none does. */
    public static OptionalLong msToNextLook(long nowMs) {
        BusyThread thread = CURRENT.get();
        return thread.periodMs == 0
                ? OptionalLong.empty()
                : OptionalLong.of(thread.periodMs - Math.floorMod(nowMs - thread.firstTurnMs, thread.periodMs));
    }
}
