package dev.ebb.bench.runs.ingest;

/** The cap of B-9, the same for all that are measured. */
final class Cap {

    /** Events that each stream keeps. */
    static final int EVENTS = 10;

    private Cap() {}
}
