package dev.ebb.bench;

/**
 * One of the things that are compared.
 *
 * @param <R> what a run of it yields
 */
interface Trial<R> {

    /** As it is called in tables. */
    String name();

    /**
     * Runs once, from nothing to nothing.
     *
     * @throws VoidRunException if it ended wrong
     */
    R run() throws InterruptedException;
}
