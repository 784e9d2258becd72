package dev.ebb.bench.harness;

import java.time.Duration;

/**
 * An amount of work and the time that it took.
 *
 * @param count amount of work
 * @param took time from the beginning to the end
 * @param cpu CPU time of all processes meanwhile
 */
public record Rate(long count, Duration took, Duration cpu) {

    private static final double NANOS = 1e9;

    public double perSecond() {
        return count * NANOS / took.toNanos();
    }

    public double perCpuSecond() {
        return count * NANOS / cpu.toNanos();
    }
}
