package dev.ebb.store.layout;

/** Names of the two stores of a partition, by which the topology and readers find them. Stateless. */
public final class StoreNames {

    /** The store with the events, see {@link Range}. */
    public static final String EVENTS = "events";

    /** The store with a record for each stream and execution, and some for the task, see {@link UsageKeys}. */
    public static final String USAGE = "usage";

    private StoreNames() {}
}
