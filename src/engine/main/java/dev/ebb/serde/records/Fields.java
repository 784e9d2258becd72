package dev.ebb.serde.records;

import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Fields of one record by our names for them; null if its author did not know a field.
 *
 * @param avro the record
 * @param map positions of our fields in it
 * @param ours our schema
 */
record Fields(IndexedRecord avro, FieldMap map, Schema ours) {

    @Nullable
    Object get(Schema.Field field) {
        return map.get(avro, field);
    }

    @Nullable
    Object get(String name) {
        return get(ours.getField(name));
    }

    @Nullable
    String text(String name) {
        return FieldValue.text(name, get(name));
    }

    @Nullable
    Long number(String name) {
        return FieldValue.number(name, get(name));
    }

    /** The number; 0 if there is none. */
    long count(String name) {
        return Objects.requireNonNullElse(number(name), 0L);
    }

    @Nullable
    Boolean truth(String name) {
        return FieldValue.truth(name, get(name));
    }

    @Nullable
    Map<String, String> texts(String name) {
        return FieldValue.texts(name, get(name));
    }
}
