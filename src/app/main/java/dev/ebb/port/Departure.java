package dev.ebb.port;

/** Has this instance leave the others for good. Thread-safe. */
public interface Departure {

    /** Whether it has left, or is about to. */
    boolean hasLeft();

    /**
     * Ends what is under way, commits, and leaves, so that the others have its partitions at once. Only a new start of the
     * process brings it back.
     *
     * @return false if it did not end in time; it still does
     */
    boolean leave();
}
