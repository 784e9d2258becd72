package dev.ebb.bench.opponents;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.serde.mirror.MirrorRows;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** The rows for SQL of an opponent, in the form of Ebb's rows. */
final class EventRows {

    private final MirrorRows rows;

    /** @param rows writes rows in Ebb's form */
    EventRows(MirrorRows rows) {
        this.rows = rows;
    }

    /**
     * The key of a row, and the partition of the mirror that the task writes to.
     *
     * @param bytes the key
     * @param partition the partition, from 0
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record RowKey(byte[] bytes, int partition) {}

    /** Returns the key of an event in stores that are ordered by stream and id. */
    static Bytes keyOf(Event event) {
        return Bytes.wrap((event.stream().value() + '\0' + event.id().value()).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns true if the work of the event is not finished. */
    static boolean isProtected(Event event) {
        return !TerminalStatuses.DEFAULT.isTerminal(event.status());
    }

    /** Returns the row of an event that was first stored at that time. */
    Record<RowKey, byte[]> row(Event event, long timestampMs, long storedAtMs, int partition) {
        StoredEvent stored = stored(event, timestampMs, storedAtMs);
        byte[] key =
                rows.eventKey(storedAtMs, event.stream().value(), event.id().value());
        return record(key, rows.eventRow(stored), timestampMs, partition);
    }

    /** Returns the tombstone for the row of an event, by the key of the event in the store. */
    Record<RowKey, byte[]> tombstone(Bytes key, long storedAtMs, long nowMs, int partition) {
        String identity = new String(key.get(), StandardCharsets.UTF_8);
        int end = identity.indexOf('\0');
        byte[] row = rows.eventKey(storedAtMs, identity.substring(0, end), identity.substring(end + 1));
        return record(row, null, nowMs, partition);
    }

    private static Record<RowKey, byte[]> record(byte[] key, byte @Nullable [] row, long timestampMs, int partition) {
        return new Record<>(new RowKey(key, partition), row, timestampMs);
    }

    /** Returns the event with the times of its row. */
    private static StoredEvent stored(Event event, long timestampMs, long nowMs) {
        boolean isProtected = isProtected(event);
        Event complete = new Event(
                event.stream(),
                event.id(),
                event.type(),
                event.status(),
                event.occurredAt() == null ? (Long) timestampMs : event.occurredAt(),
                isProtected ? null : (Long) timestampMs,
                event.ttl(),
                event.execution(),
                event.correlationId(),
                event.metadata(),
                event.contentType(),
                event.payload());
        return new StoredEvent(complete, nowMs, 0, isProtected);
    }
}
