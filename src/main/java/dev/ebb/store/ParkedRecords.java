package dev.ebb.store;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The records of a task that cannot be taken in yet, because the registry is away or because an earlier record of their
 * stream waits (O-20): a queue in the order of arrival. Not thread-safe.
 */
public final class ParkedRecords {

    private final EventStore store;
    private final KeyValueStore<Bytes, byte[]> events;
    private final Map<String, Integer> countByKey = new HashMap<>();

    ParkedRecords(EventStore store, KeyValueStore<Bytes, byte[]> events) {
        this.store = store;
        this.events = events;
        for (long arrival = store.task().parkedHead(); arrival < store.task().parkedNext(); arrival++) {
            count(at(arrival), 1);
        }
    }

    /** How many records wait. */
    public long size() {
        return store.task().parkedNext() - store.task().parkedHead();
    }

    /** Whether a record of that Kafka key waits; later ones of the same key must wait behind it. */
    public boolean holds(byte @Nullable [] key) {
        return !countByKey.isEmpty() && countByKey.containsKey(textOf(key));
    }

    /** Whether a record of that stream waits: it may protect an event, so nothing of the stream is removed until then. */
    public boolean holdsStream(StreamState stream) {
        return !countByKey.isEmpty() && countByKey.containsKey(stream.stream().value());
    }

    /** Puts a record at the end of the queue. */
    public void park(ParkedRecord record) {
        TaskRecord task = store.task();
        events.put(EventKeys.parked(task.parkedNext()), record.encode());
        store.saveTask(task.withParked(task.parkedHead(), task.parkedNext() + 1));
        count(record, 1);
    }

    /** The record that waits longest; null if none waits. */
    public @Nullable ParkedRecord first() {
        return size() == 0 ? null : at(store.task().parkedHead());
    }

    /** Takes the record that waits longest out of the queue. */
    public void removeFirst() {
        TaskRecord task = store.task();
        count(at(task.parkedHead()), -1);
        events.put(EventKeys.parked(task.parkedHead()), null);
        store.saveTask(task.withParked(task.parkedHead() + 1, task.parkedNext()));
    }

    private ParkedRecord at(long arrival) {
        byte[] value = events.get(EventKeys.parked(arrival));
        if (value == null) {
            throw new IllegalStateException("a parked record is not there");
        }
        return ParkedRecord.decode(value);
    }

    private void count(ParkedRecord record, int delta) {
        countByKey.merge(textOf(record.key()), delta, (one, other) -> one + other == 0 ? null : one + other);
    }

    private static String textOf(byte @Nullable [] key) {
        return key == null ? "" : new String(key, StandardCharsets.UTF_8);
    }
}
