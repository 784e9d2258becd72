package dev.ebb.bench.harness;

/**
 * One of the compared contenders.
 *
 * @param <R> the type of the result of a run
 */
public interface Trial<R> {

    /** Returns the name in tables. */
    String name();

    /** Returns the least number of runs before a run counts; the smaller the measured part of a run, the more. */
    default int warmUps() {
        return 1;
    }

    /**
     * Runs once, beginning and ending without data.
     *
     * @throws VoidRunException if the run ended with a wrong result
     */
    R run() throws InterruptedException;
}
