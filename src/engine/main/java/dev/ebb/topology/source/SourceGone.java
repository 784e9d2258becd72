package dev.ebb.topology.source;

import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.source.SourcePlace;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A record of the topic of events without a value, by which a source removes an event (F-4). It removes only an event of
 * the same source, and none that is newer.
 *
 * @param stream the stream that the event leaves
 * @param id the id of the event
 * @param place the place of the record that is the reason; events of later records stay
 * @param isMoved true if the event goes on in another stream
 */
public record SourceGone(StreamName stream, EventId id, SourcePlace place, boolean isMoved) {

    private static final String ID = "ebb-gone";
    private static final String MOVED = "ebb-moved";

    /** Returns the removal that the record asks for; null if it asks for none. */
    public static @Nullable SourceGone of(InputRecord record) {
        byte[] key = record.key();
        String id = record.value() == null && key != null ? EbbHeaders.text(record.headers(), ID) : null;
        String place = id == null ? null : EbbHeaders.text(record.headers(), SourcePlace.METADATA);
        SourcePlace parsed = place == null ? null : SourcePlace.parse(place);
        if (id == null || key == null || parsed == null || EventId.problem(id) != null) {
            return null;
        }
        String stream = new String(key, StandardCharsets.UTF_8);
        return StreamName.problem(stream) == null
                ? new SourceGone(
                        new StreamName(stream),
                        new EventId(id),
                        parsed,
                        record.headers().lastHeader(MOVED) != null)
                : null;
    }

    /** Returns the key of the record. */
    public byte[] key() {
        return stream.value().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the headers of the record. */
    public Headers headers() {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, ID, id.value());
        EbbHeaders.set(headers, SourcePlace.METADATA, place.text());
        if (isMoved) {
            EbbHeaders.set(headers, MOVED, "true");
        }
        return headers;
    }

    /** Returns the reason for people. */
    public String reason() {
        return isMoved
                ? "a newer record of source " + place.source() + " leads to another stream"
                : "source " + place.source() + " has no such row any more";
    }
}
