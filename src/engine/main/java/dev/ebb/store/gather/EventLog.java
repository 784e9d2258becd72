package dev.ebb.store.gather;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import java.time.Instant;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.WrappedStateStore;
import org.jspecify.annotations.Nullable;

/**
 * The one log of a partition: the changelog of its events, from which stores are restored and SQL is written. Each
 * change of an event goes through here to the store and to the log. Not thread-safe.
 */
public interface EventLog {

    /** The knowledge that readers of the log have of an event, under whatever key. */
    enum Known {
        /** They have not heard of it. */
        NOT_AT_ALL,
        /** They have an earlier state of it. */
        AS_IT_WAS,
        /** They have its present state. */
        AS_IT_IS
    }

    /**
     * Writes an event.
     *
     * @param stream the stream whose rows SQL has; null if SQL has no row of the event (F-13)
     * @param key its key in the store
     * @param known the knowledge that readers have of it; {@code AS_IT_IS} if it only has another key
     */
    void put(@Nullable StreamName stream, Bytes key, byte[] value, Known known);

    /**
     * Takes an event from the key that it had before a change; returns the knowledge that readers have of it so far.
     */
    Known leave(Bytes key);

    /**
     * Removes an event.
     *
     * @param stream the stream of the event; null if SQL has no row of the event for certain
     * @param storedAt the {@code storedAt} of the event that goes, epoch milliseconds
     */
    void remove(@Nullable StreamName stream, Bytes key, long storedAt, String id);

    /** Logs a stored event once more, since SQL lacks its row or has another one. */
    void repeat(StreamName stream, Bytes key, byte[] value);

    /** Logs a stored event once more, of which SQL has the present row or none. */
    void show(StreamName stream, Bytes key, byte[] value);

    /**
     * Sends all changes that wait for the commit: those of a stream whose rows begin or cease to be in SQL must not
     * come behind the changes that follow.
     */
    void sendWaiting();

    /** Logs the removal of a row of SQL that no event has; the time may be any that SQL can hold. */
    void removeRow(StreamName stream, Instant storedAt, String id);

    /**
     * Returns true if {@link #snapshot} has something to do, now or after the next commit.
     *
     * @param live the number of events that are stored
     */
    default boolean isLong(LongSupplier live) {
        return false;
    }

    /**
     * Makes the log shorter if it is long: writes a part of a snapshot, behind which it can be cut.
     *
     * @param live the number of events that are stored
     * @param names gives the stream with a number; null for a number that no stream has, and for a stream without rows
     *     in SQL
     * @return true if there is more to write
     */
    default boolean snapshot(LongSupplier live, IntFunction<@Nullable StreamName> names, SweepBudget budget) {
        return false;
    }

    /** Returns the log of the store; a store without one takes the changes alone. */
    static EventLog of(KeyValueStore<Bytes, byte[]> store) {
        StateStore within = store;
        while (within instanceof WrappedStateStore<?, ?, ?> wrapped) {
            if (within instanceof EventLog log) {
                return log;
            }
            within = wrapped.wrapped();
        }
        return within instanceof EventLog log ? log : new NoLog(store);
    }

    /** A store without a log, as readers have it, who write nothing that lasts. */
    record NoLog(KeyValueStore<Bytes, byte[]> store) implements EventLog {

        @Override
        public void put(@Nullable StreamName stream, Bytes key, byte[] value, Known known) {
            store.put(key, value);
        }

        @Override
        public Known leave(Bytes key) {
            store.put(key, null);
            return Known.AS_IT_IS;
        }

        @Override
        public void remove(@Nullable StreamName stream, Bytes key, long storedAt, String id) {
            store.put(key, null);
        }

        @Override
        public void repeat(StreamName stream, Bytes key, byte[] value) {}

        @Override
        public void show(StreamName stream, Bytes key, byte[] value) {}

        @Override
        public void sendWaiting() {}

        @Override
        public void removeRow(StreamName stream, Instant storedAt, String id) {}
    }
}
