package dev.ebb.store.parking;

import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.layout.TaskRecord;
import dev.ebb.store.state.StreamTable;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The single queue in which format 1 kept all waiting records. It is emptied from its head, a few records at a time.
 * Until it is empty, new records go to its tail, so that each stays behind the earlier records of its stream. Not
 * thread-safe.
 */
final class FormerParked {

    private final StreamTable streams;
    private final KeyValueStore<Bytes, byte[]> events;

    FormerParked(StreamTable streams, KeyValueStore<Bytes, byte[]> events) {
        this.streams = streams;
        this.events = events;
    }

    long size() {
        return streams.task().formerNext() - streams.task().formerHead();
    }

    void append(InputRecord record) {
        TaskRecord task = streams.task();
        events.put(EventKeys.formerParked(task.formerNext()), record.encode());
        streams.saveTask(task.withFormer(task.formerHead(), task.formerNext() + 1));
    }

    /** Removes and returns the first record, which the counts say is there; null if it is missing or damaged. */
    @Nullable
    InputRecord removeFirst() {
        TaskRecord task = streams.task();
        Bytes key = EventKeys.formerParked(task.formerHead());
        byte[] value = events.get(key);
        events.put(key, null);
        streams.saveTask(task.withFormer(task.formerHead() + 1, task.formerNext()));
        return value == null ? null : InputRecord.decodeOrNull(value);
    }
}
