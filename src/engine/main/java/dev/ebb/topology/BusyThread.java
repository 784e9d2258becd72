package dev.ebb.topology;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * State of the current stream thread: whether its tasks have work other than taking records in, such as a sweep, and
 * when they next look for work. A poll of the thread then waits for records no longer than the work allows. In the
 * other direction, polls report whether records wait. Each thread sees only its own state.
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

    /** Notes that a task of this thread has its turn: the turn may write something that must be committed. */
    static void turn() {
        CURRENT.get().turns++;
    }

    /** Notes when tasks of this thread look for work: at the given time and after each period. */
    static void looks(long firstMs, Duration period) {
        BusyThread thread = CURRENT.get();
        thread.firstTurnMs = firstMs;
        thread.periodMs = period.toMillis();
    }

    /** Notes that a poll of the current thread has returned so few records that none waits behind them. */
    public static void caughtUp() {
        CURRENT.get().shortPolls++;
    }

    /** Returns the number of polls of the current thread after which no record waited. */
    static long shortPolls() {
        return CURRENT.get().shortPolls;
    }

    /** Returns true if a task of the current thread has something to do. */
    public static boolean isCurrent() {
        return CURRENT.get().tasks > 0;
    }

    /** Returns the number of turns that tasks of the current thread have had. */
    public static long turns() {
        return CURRENT.get().turns;
    }

    /** Returns the milliseconds until tasks of this thread look for work again, at least 1; empty if none does. */
    public static OptionalLong msToNextLook(long nowMs) {
        BusyThread thread = CURRENT.get();
        return thread.periodMs == 0
                ? OptionalLong.empty()
                : OptionalLong.of(thread.periodMs - Math.floorMod(nowMs - thread.firstTurnMs, thread.periodMs));
    }
}
