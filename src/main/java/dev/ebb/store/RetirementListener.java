package dev.ebb.store;

/** Is told what is taken away behind a deleted stream. */
public interface RetirementListener {

    /** An event is gone. */
    void removed(Retired stream, Removed removed);

    /** An execution is gone. */
    void executionRemoved(Retired stream, long execution);

    /** Nothing is left of the stream. */
    default void emptied(Retired stream) {}
}
