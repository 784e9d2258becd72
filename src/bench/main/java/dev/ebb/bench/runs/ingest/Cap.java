package dev.ebb.bench.runs.ingest;

/** The cap of B-9, which is the same for all contenders. */
final class Cap {

    /** Number of events that each stream keeps. */
    static final int EVENTS = 10;

    private Cap() {}
}
