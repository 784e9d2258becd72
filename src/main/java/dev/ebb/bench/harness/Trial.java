package dev.ebb.bench.harness;

/**
 * One of the things that are compared.
 *
 * @param <R> what a run of it yields
 */
public interface Trial<R> {

    /** As it is called in tables. */
    String name();

    /** How often it runs at least before a run counts: more often the less of a run is what is measured. */
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
