package dev.ebb.store.rocks;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/** The place where a {@link DerivingStore} keeps its bytes while it is open. Used under the lock of the store. */
interface OpenTable extends AutoCloseable {

    /** Returns the value of the key; null if there is none. */
    byte @Nullable [] get(Bytes key);

    /** Returns true if the key, which is looked up by key alone, is certainly missing; false says nothing. */
    boolean isAbsent(Bytes lookup);

    /** Puts the value under the key; returns true if the key is looked up by key alone and was certainly missing. */
    boolean put(Bytes key, byte[] value);

    void delete(Bytes key);

    /**
     * Returns the records and entries between two keys, both included, except those that are looked up by key alone.
     */
    KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to, boolean isForward);

    /**
     * Must be called before each write.
     *
     * @param isRestoring true if a batch of records is being restored, when much is written and hardly anything read;
     *     false if the task writes a record
     */
    void restoring(boolean isRestoring);

    /** Returns true if records may be written that are older than the present ones and are repeated later. */
    default boolean mayRepeat() {
        return false;
    }

    /** Returns all records and entries, in no particular order. */
    KeyValueIterator<Bytes, byte[]> all();

    long approximateNumEntries();

    /** Keeps the offsets, which may be negative; a null value removes one, an empty map all. */
    void commit(Map<TopicPartition, Long> changelogOffsets);

    /** Returns the kept offset of the partition; null if there is none. */
    @Nullable
    Long committedOffset(TopicPartition partition);

    @Override
    void close();

    /** Opens the table of a task. */
    @FunctionalInterface
    interface Opener {

        /**
         * @param name the name of the store
         * @param derivation tells which keys are looked up by key alone
         * @param lock the lock of the store, for objects that are handed out and used on their own
         */
        OpenTable open(String name, Derivation derivation, StateStoreContext context, Object lock);

        /** Returns true if the opened tables outlive the process. */
        default boolean isPersistent() {
            return true;
        }
    }
}
