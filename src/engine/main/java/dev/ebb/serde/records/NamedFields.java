package dev.ebb.serde.records;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** The fields of a record by their names; fields that its author did not know are null, zero, empty or false. */
final class NamedFields {

    private final IndexedRecord avro;

    NamedFields(IndexedRecord avro) {
        this.avro = avro;
    }

    /** The text; null if there is none. */
    @Nullable
    String find(String name) {
        Object value = get(name);
        return value == null ? null : value.toString();
    }

    String text(String name) {
        String text = find(name);
        return text == null ? "" : text;
    }

    @Nullable
    Long findNumber(String name) {
        return get(name) instanceof Number number ? (Long) number.longValue() : null;
    }

    long number(String name) {
        Long number = findNumber(name);
        return number == null ? 0 : number;
    }

    boolean truth(String name) {
        return Boolean.TRUE.equals(get(name));
    }

    List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        if (get(name) instanceof Iterable<?> values) {
            values.forEach(value -> texts.add(String.valueOf(value)));
        }
        return texts;
    }

    /** The records in a map. */
    Map<String, NamedFields> records(String name) {
        Map<String, NamedFields> records = new HashMap<>();
        if (get(name) instanceof Map<?, ?> values) {
            values.forEach((key, value) -> {
                if (value instanceof IndexedRecord inner) {
                    records.put(String.valueOf(key), new NamedFields(inner));
                }
            });
        }
        return records;
    }

    private @Nullable Object get(String name) {
        Schema.Field field = avro.getSchema().getField(name);
        return field == null ? null : avro.get(field.pos());
    }
}
