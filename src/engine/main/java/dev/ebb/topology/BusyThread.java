package dev.ebb.topology;

/**
 * Tells if tasks of the current stream thread have more to do than take records in, such as a sweep. A poll of the
 * thread then need not wait for records. Each thread knows of itself alone.
 */
public final class BusyThread {

    private static final ThreadLocal<int[]> TASKS = ThreadLocal.withInitial(() -> new int[1]);

    private BusyThread() {}

    /** Notes that a task of this thread has something to do from now on; {@link #leave} follows. */
    static void enter() {
        TASKS.get()[0]++;
    }

    /** Notes that a task of this thread has nothing more to do. */
    static void leave() {
        TASKS.get()[0]--;
    }

    /** Returns true if a task of the current thread has something to do. */
    public static boolean isCurrent() {
        return TASKS.get()[0] > 0;
    }
}
