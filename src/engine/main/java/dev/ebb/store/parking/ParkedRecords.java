package dev.ebb.store.parking;

import dev.ebb.domain.event.Wait;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.layout.ParkedStream;
import dev.ebb.store.layout.TaskRecord;
import dev.ebb.store.state.ParkedStreams;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The records of a task that cannot be taken in yet (O-20), in their order of arrival for each Kafka key, which is the name
 * of their stream: a queue for each. The events store has the records ({@code Range.PARKED}), the usage store one entry for
 * each queue ({@link ParkedStream}), which is all that a start reads and all that is kept in memory. Not thread-safe.
 */
public final class ParkedRecords {

    private final StreamTable table;
    private final KeyValueStore<Bytes, byte[]> events;
    private final FormerParked former;

    public ParkedRecords(StreamTable table, KeyValueStore<Bytes, byte[]> events) {
        this.table = table;
        this.events = events;
        this.former = new FormerParked(table, events);
    }

    /** Number of records that wait. */
    public long size() {
        return streams().records() + former.size();
    }

    /** Size of the waiting records in the store, in bytes; without those that {@link #hasFormer} is about. */
    public long bytes() {
        return streams().bytes();
    }

    /** Returns true if a record of that Kafka key waits; later ones of the same key must wait behind it. */
    public boolean holds(byte @Nullable [] key) {
        return hasFormer() || find(key) != null;
    }

    /**
     * Returns true if a record of that stream waits: it may protect an event, so until then nothing of the stream is
     * removed.
     */
    public boolean holdsStream(StreamState stream) {
        return size() > 0 && holds(stream.stream().value().getBytes(StandardCharsets.UTF_8));
    }

    /** The waiting records of that Kafka key; null if there are none. */
    public @Nullable ParkedStream find(byte @Nullable [] key) {
        return streams().all().isEmpty() ? null : streams().find(ParkedStream.nameOf(key));
    }

    /** All streams with waiting records, in the order in which they had to wait. */
    public List<ParkedStream> inOrder() {
        return streams().all().values().stream()
                .sorted(Comparator.comparingLong(ParkedStream::number))
                .toList();
    }

    /**
     * Returns true if records wait that another version parked, all in one queue. Their streams are not known, so until
     * {@link #moveFormer} has moved them each stream counts as one with a waiting record.
     */
    public boolean hasFormer() {
        return former.size() > 0;
    }

    /**
     * Moves the first record of the former queue, which must have one, to its stream; returns the stream. Null if the
     * record was missing or damaged: then it is only taken out.
     */
    public @Nullable ParkedStream moveFormer(long nowMs) {
        InputRecord record = former.removeFirst();
        return record == null ? null : add(record, record.encode(), Wait.TURN, nowMs);
    }

    /** Puts a record behind all that another version parked. */
    public void parkBehindFormer(InputRecord record) {
        former.append(record);
    }

    /**
     * Puts a record behind those of its Kafka key.
     *
     * @param wait the condition that the record waits for; it does not count if others of its key wait
     * @return the stream of the record; null, and nothing was changed, if no more may wait
     */
    public @Nullable ParkedStream park(InputRecord record, Wait wait, long nowMs, ParkingLimits limits) {
        byte[] value = record.encode();
        boolean isTooMuch =
                streams().records() >= limits.maxRecords() || streams().bytes() + value.length > limits.maxBytes();
        return isTooMuch ? null : add(record, value, wait, nowMs);
    }

    /** The record of that stream that came first; null if it is missing or damaged, so that it can only be taken out. */
    public @Nullable InputRecord first(ParkedStream stream) {
        byte[] value = events.get(stream.first());
        if (value == null) {
            return null;
        }
        stream.bytesOfFirst(value.length);
        return InputRecord.decodeOrNull(value);
    }

    /** Takes out the record that came first; a stream without records is no longer among those that wait. */
    public void removeFirst(ParkedStream stream) {
        if (stream.bytesOfFirst() == ParkedStream.UNKNOWN) {
            byte[] value = events.get(stream.first());
            stream.bytesOfFirst(value == null ? 0 : value.length);
        }
        events.put(stream.first(), null);
        streams().count(-1, -stream.removeFirst());
        streams().save(stream);
    }

    /** Changes the condition that the first record of that stream waits for. */
    public void waitsFor(ParkedStream stream, Wait wait) {
        stream.waitsFor(wait);
        streams().save(stream);
    }

    private ParkedStream add(InputRecord record, byte[] value, Wait wait, long nowMs) {
        Bytes name = ParkedStream.nameOf(record.key());
        ParkedStream known = streams().find(name);
        ParkedStream stream = known == null ? new ParkedStream(name, nextNumber(), nowMs, wait) : known;
        events.put(stream.add(value.length), value);
        streams().count(1, value.length);
        streams().save(stream);
        return stream;
    }

    private long nextNumber() {
        TaskRecord task = table.task();
        table.saveTask(task.withNextParked(task.nextParked() + 1));
        return task.nextParked();
    }

    private ParkedStreams streams() {
        return table.parked();
    }
}
