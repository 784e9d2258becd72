package dev.ebb.serde.records;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.serde.schemas.RejectedException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Converts values of Avro fields to the types of the domain, within Avro's rules of promotion. */
final class FieldValue {

    private FieldValue() {}

    static @Nullable String text(String field, @Nullable Object value) {
        if (value == null || value instanceof String) {
            return (String) value;
        }
        if (value instanceof CharSequence text) {
            return text.toString();
        }
        if (value instanceof ByteBuffer bytes) {
            return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
        }
        throw wrongType(field, "a text", value);
    }

    static @Nullable Long number(String field, @Nullable Object value) {
        if (value == null || value instanceof Long) {
            return (Long) value;
        }
        if (value instanceof Integer number) {
            return number.longValue();
        }
        throw wrongType(field, "a whole number", value);
    }

    static @Nullable Boolean truth(String field, @Nullable Object value) {
        if (value == null || value instanceof Boolean) {
            return (Boolean) value;
        }
        throw wrongType(field, "true or false", value);
    }

    static byte @Nullable [] bytes(String field, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        if (value instanceof ByteBuffer buffer) {
            return array(buffer);
        }
        if (value instanceof CharSequence text) {
            return text.toString().getBytes(StandardCharsets.UTF_8);
        }
        throw wrongType(field, "bytes", value);
    }

    static @Nullable Map<String, String> texts(String field, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw wrongType(field, "a map of texts", value);
        }
        if (map.isEmpty()) {
            return Map.of();
        }
        Map<String, String> result = new HashMap<>();
        map.forEach((key, entry) -> result.put(String.valueOf(key), entryText(field + "." + key, entry)));
        return result;
    }

    static <E extends Enum<E>> E constant(Class<E> type, String field, Object value) {
        try {
            return Enum.valueOf(type, value.toString());
        } catch (IllegalArgumentException e) {
            throw unknown(field, value);
        }
    }

    static RejectedException unknown(String field, Object value) {
        return new RejectedException(RejectReason.UNDECODABLE, field + " is '" + value + "', which is unknown here");
    }

    static Collection<?> list(String field, Object value) {
        return as(Collection.class, "a list", field, value);
    }

    static Map<?, ?> map(String field, Object value) {
        return as(Map.class, "a map", field, value);
    }

    static IndexedRecord record(String field, Object value) {
        return as(IndexedRecord.class, "a record", field, value);
    }

    private static <T> T as(Class<T> type, String wanted, String field, Object value) {
        if (!type.isInstance(value)) {
            throw wrongType(field, wanted, value);
        }
        return type.cast(value);
    }

    private static String entryText(String field, @Nullable Object value) {
        String text = text(field, value);
        if (text == null) {
            throw new RejectedException(RejectReason.UNDECODABLE, field + " must be a text, was null");
        }
        return text;
    }

    /** Returns the bytes of a buffer. Ebb's decoder makes an array for each value, which needs no copy. */
    private static byte[] array(ByteBuffer buffer) {
        if (buffer.hasArray() && buffer.arrayOffset() == 0 && buffer.remaining() == buffer.array().length) {
            return buffer.array();
        }
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return copy;
    }

    private static RejectedException wrongType(String field, String wanted, Object value) {
        return new RejectedException(
                RejectReason.UNDECODABLE, field + " must be " + wanted + ", was " + describe(value));
    }

    private static String describe(Object value) {
        return value instanceof Map || value instanceof Collection
                ? "a " + (value instanceof Map ? "map" : "list")
                : "'" + value + "'";
    }
}
