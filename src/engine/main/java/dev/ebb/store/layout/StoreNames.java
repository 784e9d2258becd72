package dev.ebb.store.layout;

/** The name by which the topology and readers find the store of a partition. Stateless. */
public final class StoreNames {

    /** The store with the events and their usage, see {@link Range}. */
    public static final String EVENTS = "events";

    private StoreNames() {}
}
