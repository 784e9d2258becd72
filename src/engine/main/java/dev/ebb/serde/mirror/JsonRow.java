package dev.ebb.serde.mirror;

import dev.ebb.serde.text.UtcText;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes one flat JSON object, field by field, without a tree of nodes and without blanks, so that equal values are
 * equal bytes. Null fields are omitted. Starts a new object after {@link #toBytes()}; not thread-safe.
 */
final class JsonRow {

    private static final byte[] TRUE = JsonBytes.ascii("true");
    private static final byte[] FALSE = JsonBytes.ascii("false");

    /**
     * An escaped U+0000. An odd number of backslashes escapes the next character; an even number escapes only
     * backslashes.
     */
    private static final Pattern ESCAPED_NUL = Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\u0000");

    private final JsonBytes json = new JsonBytes();
    private final JsonBytes inner = new JsonBytes();

    /**
     * Returns the bytes of a field's name, with quotes and colon, to be made only once; the name must be plain ASCII.
     */
    static byte[] name(String name) {
        return JsonBytes.ascii('"' + name + "\":");
    }

    JsonRow text(byte[] name, @Nullable String value) {
        if (value != null) {
            begin(name).quote(value);
        }
        return this;
    }

    JsonRow number(byte[] name, @Nullable Long value) {
        if (value != null) {
            begin(name).append(JsonBytes.ascii(Long.toString(value)));
        }
        return this;
    }

    JsonRow truth(byte[] name, @Nullable Boolean value) {
        if (value != null) {
            begin(name).append(value ? TRUE : FALSE);
        }
        return this;
    }

    /** Writes a number or truth value as such, any other value as a text. */
    JsonRow value(byte[] name, Object value) {
        if (value instanceof Long number) {
            return number(name, number);
        }
        return value instanceof Boolean truth ? truth(name, truth) : text(name, value.toString());
    }

    /** Writes the time as UTC with milliseconds; a time before 1970 or after 9999 becomes the nearest one inside. */
    JsonRow time(byte[] name, @Nullable Long epochMs) {
        if (epochMs != null) {
            begin(name).append('"').appendTime(epochMs).append('"');
        }
        return this;
    }

    /** Writes any time that a row made by hand may have; one that an event may have is written as {@link #time} does. */
    JsonRow anyTime(byte[] name, Instant value) {
        long ms = UtcText.clamped(value);
        return Instant.ofEpochMilli(ms).equals(value) ? time(name, ms) : text(name, value.toString());
    }

    /** Writes the bytes as Base64. */
    JsonRow bytes(byte[] name, byte[] value) {
        begin(name).append('"').append(Base64.getEncoder().encode(value)).append('"');
        return this;
    }

    /** Writes the object inside a text, sorted, since the order of a map is not stable. */
    JsonRow object(byte[] name, Map<String, String> texts) {
        inner.append('{');
        (texts.size() > 1 ? new TreeMap<>(texts) : texts).forEach(this::innerField);
        begin(name).quote(inner.append('}'));
        return this;
    }

    /** Writes a JSON array inside a text. */
    JsonRow array(byte[] name, List<String> texts) {
        inner.append('[');
        for (int i = 0; i < texts.size(); i++) {
            (i == 0 ? inner : inner.append(',')).quote(texts.get(i));
        }
        begin(name).quote(inner.append(']'));
        return this;
    }

    /** Writes finished JSON inside a text; an escaped U+0000 is replaced as in other texts. */
    JsonRow json(byte[] name, @Nullable String json) {
        return text(name, json == null ? null : ESCAPED_NUL.matcher(json).replaceAll("$1\uFFFD"));
    }

    /** Discards everything written so far. */
    JsonRow clear() {
        json.clear();
        inner.clear();
        return this;
    }

    /** Returns the object so far, closed. */
    byte[] toBytes() {
        return (json.isEmpty() ? json.append('{') : json).append('}').take();
    }

    private void innerField(String name, String value) {
        (inner.endsWith('{') ? inner : inner.append(','))
                .quote(name)
                .append(':')
                .quote(value);
    }

    private JsonBytes begin(byte[] name) {
        return json.append(json.isEmpty() ? '{' : ',').append(name);
    }
}
