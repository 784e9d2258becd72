package dev.ebb.bench.runs.sweep;

/** Closes all that has been started until then. */
@FunctionalInterface
interface Closing extends AutoCloseable {

    @Override
    void close();
}
