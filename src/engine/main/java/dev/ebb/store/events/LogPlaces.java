package dev.ebb.store.events;

import dev.ebb.domain.source.SourcePlace;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.StreamState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first record of each partition of a log whose event is stored (F-8). A look begins where the last one ended,
 * or at the earliest event that was written since, so that it does not walk over what was deleted in between. Not
 * thread-safe.
 */
public final class LogPlaces {

    private final KeyValueStore<Bytes, byte[]> events;
    private final Map<Log, Long> floors = new HashMap<>();

    public LogPlaces(EventTable table) {
        this.events = table.store();
        table.watch(this::written);
    }

    private record Log(String topicId, int partition) {}

    /**
     * A stored event of a log.
     *
     * @param offset the offset of the record
     * @param sid the number of its stream
     * @param isProtected true if its status protects it
     */
    public record First(long offset, int sid, String id, boolean isProtected) {}

    private void written(StreamState stream, String id, byte[] value) {
        SourcePlace place = floors.isEmpty() ? null : StoredEventCodec.placeOf(value);
        if (place != null) {
            floors.computeIfPresent(
                    new Log(place.topicId(), place.partition()), (log, floor) -> Math.min(floor, place.offset()));
        }
    }

    /** Returns the first stored event of that partition; null if there is none. */
    public @Nullable First first(String topicId, int partition) {
        Log log = new Log(topicId, partition);
        Bytes from = EventKeys.sourcedFrom(topicId, partition, floors.getOrDefault(log, 0L));
        try (var entries = events.range(from, EventKeys.sourcedFrom(topicId, partition + 1, 0))) {
            while (entries.hasNext()) {
                Bytes key = entries.next().key;
                ByteBuffer rest = EventKeys.restOfSourced(key, topicId);
                int ofPartition = rest.getInt();
                long offset = rest.getLong();
                floors.put(log, offset);
                int sid = rest.getInt();
                String id = StandardCharsets.UTF_8.decode(rest).toString();
                Range range = ofPartition == partition ? rangeOf(sid, id, topicId, partition, offset) : null;
                if (range != null) {
                    return new First(offset, sid, id, range == Range.PINNED);
                }
            }
        }
        floors.put(log, Long.MAX_VALUE);
        return null;
    }

    /**
     * Returns the range of the event; null if it is not there, or was made from another record. A damaged one is there.
     */
    private @Nullable Range rangeOf(int sid, String id, String topicId, int partition, long offset) {
        byte[] known = events.get(EventKeys.byId(Range.IDS, sid, id));
        Location location = known == null ? null : Location.decode(known);
        byte[] value = location == null ? null : events.get(location.key(sid, id));
        if (location == null || value == null) {
            return null;
        }
        try {
            SourcePlace place = StoredEventCodec.placeOf(value);
            boolean isSame = place != null
                    && place.offset() == offset
                    && place.partition() == partition
                    && place.topicId().equals(topicId);
            return isSame ? location.range() : null;
        } catch (IndexOutOfBoundsException | IllegalArgumentException | IllegalStateException e) {
            return location.range();
        }
    }
}
