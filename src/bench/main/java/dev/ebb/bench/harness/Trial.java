package dev.ebb.bench.harness;

/**
 * One of the contenders that are compared.
 *
 * @param <R> result of a run
 */
public interface Trial<R> {

    /** Name in tables. */
    String name();

    /** Least number of runs before a run counts: more, the smaller the measured part of a run is. */
    default int warmUps() {
        return 1;
    }

    /**
     * Runs once, from nothing to nothing.
     *
     * @throws VoidRunException if it ended wrong
     */
    R run() throws InterruptedException;
}
