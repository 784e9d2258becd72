package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.Trial;
import java.time.Duration;

/** An application that sweeps and finds nothing: the CPU time of a sweep of all partitions, in microseconds. */
interface IdleSide extends Trial<Double>, AutoCloseable {

    /** Time that an application may take until it has taken its input in. */
    Duration LIMIT = Duration.ofMinutes(30);

    /** Looks whether it holds what it must. */
    void verify();

    @Override
    void close();
}
