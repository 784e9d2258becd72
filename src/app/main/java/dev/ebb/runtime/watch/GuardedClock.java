package dev.ebb.runtime.watch;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;

/**
 * The time by which readers judge and requests are understood: that of this instance, or the broker's where the clock of
 * this instance is too far from it (O-7). By a clock that is a month ahead, readers would see no event, and "older than a
 * week" would mean all of them. Thread-safe.
 */
public final class GuardedClock extends Clock {

    private final ClockGuard guard;
    private final Clock machine;

    /** @param machine the clock of this instance, which the guard compares */
    public GuardedClock(ClockGuard guard, Clock machine) {
        super();
        this.guard = guard;
        this.machine = machine;
    }

    @Override
    public long millis() {
        return guard.trusted(machine.millis());
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public ZoneId getZone() {
        return machine.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return new GuardedClock(guard, machine.withZone(zone));
    }
}
