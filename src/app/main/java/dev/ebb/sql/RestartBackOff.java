package dev.ebb.sql;

import java.time.Duration;
import java.time.Instant;

/**
 * Determines when a failed connector may be restarted: after 1 s, and after twice as long each time, up to 60 s; from 1
 * s again once the connector has run for 60 s. Not thread-safe.
 */
final class RestartBackOff {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private Duration delay = FIRST;
    private Instant failedSince = Instant.MAX;
    private Instant runningSince = Instant.MAX;
    private long restarts;

    /** Returns the number of restarts of the connector. */
    long restarts() {
        return restarts;
    }

    /** Notes that the connector has failed; returns true if it should be restarted now. */
    boolean failed(Instant now) {
        runningSince = Instant.MAX;
        if (failedSince.equals(Instant.MAX)) {
            failedSince = now;
        }
        return !now.isBefore(failedSince.plus(delay));
    }

    /** Notes a restart. */
    void restarted(Instant now) {
        restarts++;
        failedSince = now;
        Duration twice = delay.multipliedBy(2);
        delay = twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
    }

    /** Notes that the connector runs. */
    void running(Instant now) {
        failedSince = Instant.MAX;
        if (runningSince.equals(Instant.MAX)) {
            runningSince = now;
        }
        if (!now.isBefore(runningSince.plus(LONGEST))) {
            delay = FIRST;
        }
    }
}
