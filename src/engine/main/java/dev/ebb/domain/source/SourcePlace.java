package dev.ebb.domain.source;

import dev.ebb.domain.event.Event;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place of the record from which an event of a source was made. Stored in the metadata of the event, so that it
 * goes wherever the event goes, and needs no format of its own in stores, logs and copies.
 *
 * @param source the name of the source
 * @param topicId the id that Kafka gave to the topic: a topic that is made anew has another one (F-11)
 * @param partition the partition of the record
 * @param offset the offset of the record
 * @param key the key of the record; empty in a log, whose keys nothing needs. The array is not copied
 */
public record SourcePlace(String source, String topicId, int partition, long offset, byte[] key) {

    /** Name of the place in the metadata of an event. */
    public static final String METADATA = "ebb-source";

    /** Length of the longest key: its text has to fit into the metadata of an event. */
    public static final int MAX_KEY_BYTES = 32_768;

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    /** The name of the source comes last, since it alone may have any character. */
    private static final Pattern FORM = Pattern.compile("([^/]+)/(\\d{1,9})/(\\d{1,18})/([A-Za-z0-9_-]*)/(.+)");

    /** Returns the place of the record from which the event was made; null if the event is of no source. */
    public static @Nullable SourcePlace of(Event event) {
        String text = event.metadata().get(METADATA);
        return text == null ? null : parse(text);
    }

    /** Reads the output of {@link #text}; returns null if the text is something else, since any producer may write it. */
    public static @Nullable SourcePlace parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return null;
        }
        try {
            return new SourcePlace(
                    parts.group(5),
                    parts.group(1),
                    Integer.parseInt(parts.group(2)),
                    Long.parseLong(parts.group(3)),
                    Base64.getUrlDecoder().decode(parts.group(4)));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns the place of a record of a source. */
    public static SourcePlace of(Source source, String topicId, SourceRecord record) {
        byte[] key = record.key();
        return new SourcePlace(
                source.name(),
                topicId,
                record.partition(),
                record.offset(),
                key == null || !source.isTable() ? new byte[0] : key);
    }

    /** Returns the place as a text. */
    public String text() {
        return topicId + "/" + partition + "/" + offset + "/" + ENCODER.encodeToString(key) + "/" + source;
    }

    /** Returns true if the record at the other place has the same key, of the same source; an id may name two keys. */
    public boolean isOfRow(SourcePlace other) {
        return source.equals(other.source) && Arrays.equals(key, other.key);
    }

    /**
     * Returns true if the record at the other place is newer than this one, or is this one. Places on another partition
     * or on a topic made anew have no order; what comes later counts.
     */
    public boolean isUpTo(SourcePlace other) {
        return !topicId.equals(other.topicId) || partition != other.partition || offset <= other.offset;
    }

    /** Returns the event with this place in its metadata. */
    public Event on(Event event) {
        Map<String, String> metadata = new HashMap<>(event.metadata());
        metadata.put(METADATA, text());
        return event.withMetadata(metadata);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SourcePlace that && text().equals(that.text());
    }

    @Override
    public int hashCode() {
        return text().hashCode();
    }
}
