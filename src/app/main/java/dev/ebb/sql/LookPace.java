package dev.ebb.sql;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Pace of a look that is repeated so that others can read from memory what it finds: at each occasion while they read or
 * something is wrong, and rarely otherwise. At the load that Ebb is made for, such looks cost more than the events. Its
 * methods may be called by any thread.
 */
final class LookPace {

    /** Time after which a look is due without a reader. */
    static final Duration UNASKED = Duration.ofSeconds(30);

    private final LongSupplier nanos;
    private long lookedNanos;
    private boolean isAsked = true;

    /** @param nanos nanoseconds of a monotonic clock */
    LookPace(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Notes a reader of the last findings; the next occasion is for a look. */
    synchronized void ask() {
        isAsked = true;
    }

    /**
     * Returns true if this occasion is for a look.
     *
     * @param isWell true if the last look has found nothing that needs another one soon
     */
    synchronized boolean isDue(boolean isWell) {
        long now = nanos.getAsLong();
        if (isWell && !isAsked && now - lookedNanos < UNASKED.toNanos()) {
            return false;
        }
        isAsked = false;
        lookedNanos = now;
        return true;
    }
}
