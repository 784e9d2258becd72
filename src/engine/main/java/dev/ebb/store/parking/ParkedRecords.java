package dev.ebb.store.parking;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.Wait;
import dev.ebb.store.layout.InputRecord;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The records of a task that cannot be taken in yet (O-20): a queue for each Kafka key, which is the name of a stream,
 * in order of arrival. The events store holds the records ({@code Range.PARKED}). The usage store holds one entry for
 * each queue ({@link ParkedStream}), and only these entries are read at a start and kept in memory. Not thread-safe.
 */
public final class ParkedRecords {

    private final ParkedStreams streams;
    private final LongSupplier nextNumber;
    private final KeyValueStore<Bytes, byte[]> events;

    /** @param nextNumber gives the number of the next stream that has to wait; saved by its owner */
    public ParkedRecords(ParkedStreams streams, LongSupplier nextNumber, KeyValueStore<Bytes, byte[]> events) {
        this.streams = streams;
        this.nextNumber = nextNumber;
        this.events = events;
    }

    /** Returns the number of waiting records. */
    public long size() {
        return streams.records();
    }

    /** Returns the size of the waiting records in the store, in bytes. */
    public long bytes() {
        return streams.bytes();
    }

    /** Returns true if a record of this Kafka key waits; later records of the key must wait behind it. */
    public boolean holds(byte @Nullable [] key) {
        return find(key) != null;
    }

    /**
     * Returns true if a record of the stream waits. The record may protect an event, so nothing of the stream is
     * removed as long as it waits.
     */
    public boolean holdsStream(StreamName stream) {
        return size() > 0 && holds(stream.value().getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the waiting records of this Kafka key; null if there are none. */
    public @Nullable ParkedStream find(byte @Nullable [] key) {
        return streams.all().isEmpty() ? null : streams.find(ParkedStream.nameOf(key));
    }

    /** Returns all streams with waiting records, in the order in which they had to wait. */
    public List<ParkedStream> inOrder() {
        return streams.all().values().stream()
                .sorted(Comparator.comparingLong(ParkedStream::number))
                .toList();
    }

    /**
     * Puts a record behind the waiting records of its Kafka key.
     *
     * @param wait the condition that the record waits for; of no effect if other records of its key wait
     * @return the stream of the record; null, with nothing changed, if no more records may wait
     */
    public @Nullable ParkedStream park(InputRecord record, Wait wait, long nowMs, ParkingLimits limits) {
        byte[] value = record.encode();
        boolean isTooMuch =
                streams.records() >= limits.maxRecords() || streams.bytes() + value.length > limits.maxBytes();
        return isTooMuch ? null : add(record, value, wait, nowMs);
    }

    /** Returns the first record of the stream; null if it is missing or damaged, so that it can only be removed. */
    public @Nullable InputRecord first(ParkedStream stream) {
        byte[] value = events.get(stream.first());
        if (value == null) {
            return null;
        }
        stream.bytesOfFirst(value.length);
        return InputRecord.decodeOrNull(value);
    }

    /** Removes the first record of the stream. A stream without records no longer counts as waiting. */
    public void removeFirst(ParkedStream stream) {
        if (stream.bytesOfFirst() == ParkedStream.UNKNOWN) {
            byte[] value = events.get(stream.first());
            stream.bytesOfFirst(value == null ? 0 : value.length);
        }
        events.put(stream.first(), null);
        streams.count(-1, -stream.removeFirst());
        streams.save(stream);
    }

    /** Changes the condition that the first record of the stream waits for. */
    public void waitsFor(ParkedStream stream, Wait wait) {
        stream.waitsFor(wait);
        streams.save(stream);
    }

    private ParkedStream add(InputRecord record, byte[] value, Wait wait, long nowMs) {
        Bytes name = ParkedStream.nameOf(record.key());
        ParkedStream known = streams.find(name);
        ParkedStream stream = known == null ? new ParkedStream(name, nextNumber.getAsLong(), nowMs, wait) : known;
        events.put(stream.add(value.length), value);
        streams.count(1, value.length);
        streams.save(stream);
        return stream;
    }
}
