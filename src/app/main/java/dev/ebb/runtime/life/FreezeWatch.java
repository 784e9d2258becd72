package dev.ebb.runtime.life;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the whole process has stood still for longer than its session in the group lasts. Others may have taken
 * over its partitions meanwhile, and when it wakes up it still believes for a moment that it keeps them. Thread-safe.
 */
public final class FreezeWatch implements Runnable {

    /** Time between two runs while the process does not stand still. */
    public static final Duration PULSE = Duration.ofSeconds(1);

    /** Time after which an instance that woke up knows again what it keeps: its next heartbeat is answered by then. */
    static final Duration SETTLING = Duration.ofSeconds(5);

    private final long sessionNanos;
    private final LongSupplier nanos;
    private long lastNanos;
    private long frozenNanos;
    private long wokenNanos;

    /**
     * @param session time without a heartbeat after which others take over
     * @param nanos nanoseconds of a monotonic clock
     */
    public FreezeWatch(Duration session, LongSupplier nanos) {
        this.sessionNanos = session.toNanos();
        this.nanos = nanos;
        this.lastNanos = nanos.getAsLong();
    }

    /** To be run at each {@link #PULSE}, from the start on. */
    @Override
    public synchronized void run() {
        long now = nanos.getAsLong();
        if (now - lastNanos >= sessionNanos) {
            frozenNanos = now - lastNanos;
            wokenNanos = now;
        }
        lastNanos = now;
    }

    /** Returns the reason why the state of this instance may be out of date; null if it is not. */
    public synchronized @Nullable String problem() {
        run();
        return frozenNanos > 0 && lastNanos - wokenNanos < SETTLING.toNanos()
                ? "this instance stood still for "
                        + Duration.ofNanos(frozenNanos).toSeconds()
                        + " s and finds out whether it still keeps its partitions"
                : null;
    }
}
