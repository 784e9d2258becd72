package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.Trial;

/** An application that sweeps and finds nothing: the CPU time of a sweep of all partitions, in microseconds. */
interface IdleSide extends Trial<Double>, AutoCloseable {

    /** Looks whether it holds what it must. */
    void verify();

    @Override
    void close();
}
