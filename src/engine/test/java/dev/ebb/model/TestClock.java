package dev.ebb.model;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock in the hands of a test, beside a time that cannot be set. */
public final class TestClock extends Clock {

    private long wallMs;
    private long nanos = 77;

    public TestClock(long wallMs) {
        this.wallMs = wallMs;
    }

    /** Time goes by. */
    public void advance(long ms) {
        wallMs += ms;
        nanos += ms * 1_000_000;
    }

    /** Sets the clock by hand. */
    public void step(long ms) {
        wallMs += ms;
    }

    public long nanoTime() {
        return nanos;
    }

    @Override
    public long millis() {
        return wallMs;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(wallMs);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("a test clock is in UTC");
    }
}
