package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.Trial;
import java.time.Duration;

/**
 * An application that sweeps and finds nothing; the result is the CPU time of a sweep of all partitions, in
 * microseconds.
 */
interface IdleSide extends Trial<Double>, AutoCloseable {

    /** Longest time for the intake of the input. */
    Duration LIMIT = Duration.ofMinutes(30);

    /** Checks that the application holds the expected events. */
    void verify();

    @Override
    void close();
}
