package dev.ebb.bench;

import java.time.Duration;

/**
 * How long one application took to drain the input.
 *
 * @param events the records of the input
 * @param took from the first record to the last
 * @param cpu the CPU time of all processes, from the first record until the last is committed
 */
record DrainResult(int events, Duration took, Duration cpu) {

    private static final double NANOS = 1e9;

    double perSecond() {
        return events * NANOS / took.toNanos();
    }

    double perCpuSecond() {
        return events * NANOS / cpu.toNanos();
    }
}
