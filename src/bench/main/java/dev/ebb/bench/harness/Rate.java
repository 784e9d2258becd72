package dev.ebb.bench.harness;

import java.time.Duration;

/**
 * Duration of an amount of work.
 *
 * @param count amount of work
 * @param took from its beginning to its end
 * @param cpu the CPU time of all processes meanwhile
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
