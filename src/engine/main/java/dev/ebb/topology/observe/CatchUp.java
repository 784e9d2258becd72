package dev.ebb.topology.observe;

/**
 * Progress towards the contents that the topics had at the start of a task or of the instance (O-1): a waiting update
 * must be seen before anything is deleted. Thread-safe; never blocks.
 */
public interface CatchUp {

    /** No target is known yet. */
    long UNKNOWN = Long.MAX_VALUE;

    /** Notes that a task of that partition has started or come back: it must first see all that its topics hold now. */
    void taskStarted(int partition);

    /**
     * Returns the id of a topic of the input; empty if unknown, and then the state does not remember the records that
     * it took in.
     */
    default String topicId(String topic) {
        return "";
    }

    /** Returns true if records that have been taken in may come again, as after a crash without exactly once. */
    default boolean mayRepeat() {
        return true;
    }

    /** Notes that the record at that offset has been taken in. */
    void processed(String topic, int partition, long offset);

    /** Returns true if all that the input of the partition held when its task started has been taken in. */
    boolean isCaughtUp(int partition);

    /**
     * Returns the offset of the last record that the topic of policies held when the instance started; -1 if it held
     * none, {@link #UNKNOWN} until that is known.
     */
    long policiesTarget();
}
