package dev.ebb.topology.observe;

/**
 * Knows what the topics held when a task or the instance started (O-1): a waiting update must be seen before anything is
 * deleted. Thread-safe; never blocks.
 */
public interface CatchUp {

    /** No target is known yet. */
    long UNKNOWN = Long.MAX_VALUE;

    /** A task of that partition has started or come back; what its topics hold at this moment is what it must see first. */
    void taskStarted(int partition);

    /** The id of a topic of the input; empty if it is not known, and then the state does not remember what it took in. */
    default String topicId(String topic) {
        return "";
    }

    /** Whether records may come again that have been taken in, as after a crash without exactly once. */
    default boolean mayRepeat() {
        return true;
    }

    /** The record at that offset has been taken in. */
    void processed(String topic, int partition, long offset);

    /** Whether all that the input of the partition held when its task started has been taken in. */
    boolean isCaughtUp(int partition);

    /**
     * The offset of the last record that the topic of policies held when the instance started; -1 if it held none,
     * {@link #UNKNOWN} until that is known.
     */
    long policiesTarget();
}
