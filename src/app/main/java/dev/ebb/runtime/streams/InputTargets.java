package dev.ebb.runtime.streams;

import org.apache.kafka.common.TopicPartition;

/**
 * Finds the input that must be taken in first. May block, and throw a {@link RuntimeException} if another try may
 * succeed. Used by one thread at a time.
 */
public interface InputTargets extends AutoCloseable {

    /** Offset that stands for no input to take in. */
    long NONE = -1;

    /** Returns the offset of the last record that the group has not committed yet, or {@link #NONE}. */
    long lastUncommitted(TopicPartition partition);

    /** Returns the offset of the last record, or {@link #NONE}. */
    long last(TopicPartition partition);

    @Override
    void close();
}
