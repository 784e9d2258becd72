package dev.ebb.store.layout;

import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.erase.EventCondition.Field;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.source.SourcePlace;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects stored events that meet conditions, by their bytes. It creates no object for an event and does not touch the
 * payload, since an erasure looks at every event. Immutable.
 */
public final class EventSieve {

    private final Map<Field, byte[]> fields = new EnumMap<>(Field.class);
    private final byte[][] keys;
    private final byte[] @Nullable [] values;
    private final @Nullable String stream;

    /** True if no event can meet the conditions, because two of them ask for different values of one text. */
    private final boolean isContradiction;

    public EventSieve(List<EventCondition> conditions) {
        Map<String, String> asked = new LinkedHashMap<>();
        conditions.forEach(condition -> asked.put(condition.field(), condition.value()));
        this.isContradiction =
                conditions.stream().anyMatch(condition -> !condition.value().equals(asked.get(condition.field())));
        conditions.stream()
                .filter(condition -> condition.named() != null)
                .forEach(condition -> fields.put(condition.named(), bytes(condition.value())));
        List<EventCondition> texts = conditions.stream()
                .filter(condition -> condition.metadataKey() != null)
                .distinct()
                .toList();
        Map<String, byte @Nullable []> metadata = new LinkedHashMap<>();
        if (asked.containsKey("source")) {
            // Its name is a part of that text; the event itself is compared afterwards.
            metadata.put(SourcePlace.METADATA, null);
        }
        texts.forEach(text -> metadata.put(String.valueOf(text.metadataKey()), bytes(text.value())));
        this.keys = metadata.keySet().stream().map(EventSieve::bytes).toArray(byte[][]::new);
        this.values = metadata.values().toArray(byte[][]::new);
        this.stream = asked.get("stream");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns true if events of the stream can meet the conditions; the bytes of an event do not name its stream. */
    public boolean takesStream(String name) {
        return !isContradiction && (stream == null || stream.equals(name));
    }

    /** Returns the only stream whose events can meet the conditions; null if those of any stream can. */
    public @Nullable StreamName onlyStream() {
        return stream == null ? null : new StreamName(stream);
    }

    /**
     * Returns true if the event meets all conditions except those about its stream; one about its source only asks
     * that it has one.
     *
     * @param value the bytes of a stored event
     * @throws IllegalStateException or {@link IndexOutOfBoundsException} if the bytes are damaged
     */
    public boolean takes(byte[] value) {
        ByteReader in = new ByteReader(value);
        int flags = StoredEventCodec.openTexts(in);
        return in.skipText(fields.get(Field.ID))
                && StoredEventCodec.skipRestOfHeader(in, flags)
                && in.skipText(fields.get(Field.TYPE))
                && takes(in, StoredEventCodec.hasStatus(flags), Field.STATUS)
                && takes(in, StoredEventCodec.hasCorrelationId(flags), Field.CORRELATION_ID)
                && takes(in, StoredEventCodec.hasContentType(flags), Field.CONTENT_TYPE)
                && takesMetadata(in);
    }

    private boolean takes(ByteReader in, boolean isThere, Field field) {
        byte[] wanted = fields.get(field);
        return isThere ? in.skipText(wanted) : wanted == null;
    }

    private boolean takesMetadata(ByteReader in) {
        int missing = keys.length;
        for (long left = missing == 0 ? 0 : in.readVarLong(); left > 0; left--) {
            int asked = in.skipAnyOf(keys);
            if (!in.skipText(asked < 0 ? null : values[asked])) {
                return false;
            }
            missing -= asked < 0 ? 0 : 1;
        }
        return missing == 0;
    }
}
