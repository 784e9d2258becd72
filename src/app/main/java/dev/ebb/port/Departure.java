package dev.ebb.port;

/** Takes this instance out of the group for good. Thread-safe. */
public interface Departure {

    /** Returns true if this instance has left, or is about to. */
    boolean hasLeft();

    /**
     * Finishes the work under way, commits, and leaves, so that the other instances take over the partitions at once.
     * Only a new start of the process brings the instance back.
     *
     * @return false if the work did not finish in time; the instance leaves all the same
     */
    boolean leave();
}
