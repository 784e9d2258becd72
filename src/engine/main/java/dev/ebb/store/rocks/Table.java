package dev.ebb.store.rocks;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/** Place where a {@link DerivingStore} keeps its bytes while it is open. Used under the lock of the store. */
interface Table extends AutoCloseable {

    /** The value of the key; null if there is none. */
    byte @Nullable [] get(Bytes key);

    /** Returns true if the key, which is looked up by key alone, is certainly not there; false says nothing. */
    boolean isAbsent(Bytes lookup);

    /** Gives the key that value; returns true if it is looked up by key alone and was certainly not there. */
    boolean put(Bytes key, byte[] value);

    void delete(Bytes key);

    /** The records and entries between two keys, both included, but for those that are looked up by key alone. */
    KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to, boolean isForward);

    /**
     * Comes before each write: whether a batch of records is restored, when much is written and hardly anything read, or
     * the task writes one record.
     */
    void restoring(boolean isRestoring);

    /** Returns true if what is written may be older than what is there, and come again later. */
    default boolean mayRepeat() {
        return false;
    }

    /** All records and entries, in no particular order. */
    KeyValueIterator<Bytes, byte[]> all();

    long approximateNumEntries();

    /** Keeps the offsets, negative ones like others; a null value forgets one, an empty map all. */
    void commit(Map<TopicPartition, Long> changelogOffsets);

    /** The kept offset of the partition; null if there is none. */
    @Nullable
    Long committedOffset(TopicPartition partition);

    @Override
    void close();

    /** Opens the table of a task. */
    @FunctionalInterface
    interface Opener {

        /**
         * @param name the name of the store
         * @param derivation says which keys are looked up by key alone
         * @param lock the lock of the store, for objects that are handed out and used by themselves
         */
        Table open(String name, Derivation derivation, StateStoreContext context, Object lock);

        /** Returns true if the opened tables outlive the process. */
        default boolean isPersistent() {
            return true;
        }
    }
}
