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
 * equal bytes. A null is left out. Starts a new object after {@link #toBytes()}; not thread-safe.
 */
final class JsonRow implements RowFields {

    private static final byte[] TRUE = JsonBytes.ascii("true");
    private static final byte[] FALSE = JsonBytes.ascii("false");

    /** An escaped U+0000. An odd number of backslashes escapes the next character, an even number only backslashes. */
    private static final Pattern ESCAPED_NUL = Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\u0000");

    private final JsonBytes json = new JsonBytes();
    private final JsonBytes inner = new JsonBytes();

    /** The bytes of a field's name, quotes and colon included, to be made once; the name must be plain ASCII. */
    static byte[] name(String name) {
        return JsonBytes.ascii('"' + name + "\":");
    }

    @Override
    public JsonRow text(byte[] name, @Nullable String value) {
        if (value != null) {
            begin(name).quote(value);
        }
        return this;
    }

    @Override
    public JsonRow number(byte[] name, @Nullable Long value) {
        if (value != null) {
            begin(name).append(JsonBytes.ascii(Long.toString(value)));
        }
        return this;
    }

    @Override
    public JsonRow truth(byte[] name, @Nullable Boolean value) {
        if (value != null) {
            begin(name).append(value ? TRUE : FALSE);
        }
        return this;
    }

    /** A number or truth value as such, anything else as a text. */
    JsonRow value(byte[] name, Object value) {
        if (value instanceof Long number) {
            return number(name, number);
        }
        return value instanceof Boolean truth ? truth(name, truth) : text(name, value.toString());
    }

    /** As UTC with three digits of a second. */
    @Override
    public JsonRow time(byte[] name, @Nullable Long epochMs) {
        if (epochMs != null) {
            begin(name).append('"').appendTime(epochMs).append('"');
        }
        return this;
    }

    @Override
    public JsonRow anyTime(byte[] name, Instant value) {
        long ms = UtcText.clamped(value);
        return Instant.ofEpochMilli(ms).equals(value) ? time(name, ms) : text(name, value.toString());
    }

    /** As Base64. */
    @Override
    public JsonRow bytes(byte[] name, byte[] value) {
        begin(name).append('"').append(Base64.getEncoder().encode(value)).append('"');
        return this;
    }

    /** Inside a text. */
    @Override
    public JsonRow object(byte[] name, Map<String, String> texts) {
        inner.append('{');
        (texts.size() > 1 ? new TreeMap<>(texts) : texts).forEach(this::innerField);
        begin(name).quote(inner.append('}'));
        return this;
    }

    /** A JSON array inside a text. */
    JsonRow array(byte[] name, List<String> texts) {
        inner.append('[');
        for (int i = 0; i < texts.size(); i++) {
            (i == 0 ? inner : inner.append(',')).quote(texts.get(i));
        }
        begin(name).quote(inner.append(']'));
        return this;
    }

    /** Finished JSON inside a text; U+0000 is replaced in it as in texts, although it is escaped there. */
    JsonRow json(byte[] name, @Nullable String json) {
        return text(name, json == null ? null : ESCAPED_NUL.matcher(json).replaceAll("$1\uFFFD"));
    }

    /** The row has all fields. */
    @Override
    public JsonRow endKey() {
        return this;
    }

    @Override
    public JsonRow clear() {
        json.clear();
        inner.clear();
        return this;
    }

    /** The object so far, closed. */
    @Override
    public byte[] toBytes() {
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
