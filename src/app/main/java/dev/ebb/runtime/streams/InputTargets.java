package dev.ebb.runtime.streams;

import org.apache.kafka.common.TopicPartition;

/**
 * Tells what has to be taken in first. May block, and throw a {@link RuntimeException} if it is worth another try. Used by
 * one thread at a time.
 */
public interface InputTargets extends AutoCloseable {

    /** Nothing has to be taken in. */
    long NONE = -1;

    /** The offset of the last record that the group has not committed yet, or {@link #NONE}. */
    long lastUncommitted(TopicPartition partition);

    /** The offset of the last record, or {@link #NONE}. */
    long last(TopicPartition partition);

    @Override
    void close();
}
