package dev.ebb.domain.event;

import dev.ebb.domain.Snapshot;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event as its producer sent it. Immutable as long as no caller writes into the payload, which is not copied.
 *
 * @param stream the stream of the event
 * @param id the id of the event within its stream
 * @param type the kind of fact; may be empty
 * @param status the state of the work that the event represents; null or empty for a plain fact
 * @param occurredAt the producer's time, epoch milliseconds; null if the Kafka timestamp takes its place
 * @param completedAt the time at which the event became terminal, epoch milliseconds; null if not named
 * @param ttl the lifetime that the producer asks for
 * @param execution the number of its execution; 0 is the implicit one
 * @param correlationId an id shared with related events; null if none
 * @param metadata free texts by name; never null
 * @param contentType the media type of the payload; null if unknown
 * @param payload the content; may be empty
 */
public record Event(
        StreamName stream,
        EventId id,
        String type,
        @Nullable String status,
        @Nullable Long occurredAt,
        @Nullable Long completedAt,
        OwnTtl ttl,
        long execution,
        @Nullable String correlationId,
        Map<String, String> metadata,
        @Nullable String contentType,
        byte[] payload)
        implements StreamRecord {

    public Event {
        metadata = Snapshot.of(metadata);
    }

    /** Returns the size in bytes that counts against {@code maxBytes}: the payload and all texts in UTF-8, plus 64. */
    public long sizeBytes() {
        return EventSize.of(this);
    }

    /** Returns this event with another time of completion, epoch milliseconds; null for none. */
    public Event withCompletedAt(@Nullable Long completedAtMs) {
        return with(occurredAt, completedAtMs, metadata);
    }

    /** Returns this event with other metadata. */
    public Event withMetadata(Map<String, String> others) {
        return with(occurredAt, completedAt, others);
    }

    /** Returns this event with that producer's time, epoch milliseconds. */
    public Event withOccurredAt(long occurredAtMs) {
        return with(occurredAtMs, completedAt, metadata);
    }

    private Event with(@Nullable Long occurred, @Nullable Long completed, Map<String, String> described) {
        return new Event(
                stream,
                id,
                type,
                status,
                occurred,
                completed,
                ttl,
                execution,
                correlationId,
                described,
                contentType,
                payload);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Event that
                && stream.equals(that.stream)
                && id.equals(that.id)
                && type.equals(that.type)
                && Objects.equals(status, that.status)
                && Objects.equals(occurredAt, that.occurredAt)
                && Objects.equals(completedAt, that.completedAt)
                && ttl.equals(that.ttl)
                && execution == that.execution
                && Objects.equals(correlationId, that.correlationId)
                && metadata.equals(that.metadata)
                && Objects.equals(contentType, that.contentType)
                && Arrays.equals(payload, that.payload);
    }

    @Override
    public int hashCode() {
        return Objects.hash(stream, id, type, status);
    }

    @Override
    public String toString() {
        return "Event[" + stream + ", " + id + ", " + type + ", " + status + "]";
    }
}
