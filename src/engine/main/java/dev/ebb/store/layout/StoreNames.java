package dev.ebb.store.layout;

/** The names by which the topology and readers find the two stores of a partition. Stateless. */
public final class StoreNames {

    /** The store with the events, see {@link Range}. */
    public static final String EVENTS = "events";

    /** The store with a record for each stream and execution, and a few for the task, see {@link UsageKeys}. */
    public static final String USAGE = "usage";

    private StoreNames() {}
}
