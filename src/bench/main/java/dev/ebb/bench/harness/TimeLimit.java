package dev.ebb.bench.harness;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The time in which runs of a measurement may begin; a run under way continues to its end. The time counts from the
 * creation of this object. Immutable.
 */
public final class TimeLimit {

    /** No limit. */
    public static final TimeLimit NONE = new TimeLimit(Duration.ofDays(1), () -> 0);

    private final long nanos;
    private final LongSupplier nanoClock;
    private final long beginNanos;

    TimeLimit(Duration time, LongSupplier nanoClock) {
        this.nanos = time.toNanos();
        this.nanoClock = nanoClock;
        this.beginNanos = nanoClock.getAsLong();
    }

    /** Returns a limit that begins now. */
    public static TimeLimit of(Duration time) {
        return new TimeLimit(time, System::nanoTime);
    }

    /** Returns true if the runs that count should have begun. */
    boolean isHalfOver() {
        return usedNanos() >= nanos / 2;
    }

    /** Returns true if no further run should begin. */
    public boolean isOver() {
        return usedNanos() >= nanos;
    }

    private long usedNanos() {
        return nanoClock.getAsLong() - beginNanos;
    }
}
