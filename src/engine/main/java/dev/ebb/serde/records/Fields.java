package dev.ebb.serde.records;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.serde.schemas.RejectedException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one record by Ebb's names for them; null, or the default, if its author did not know a field.
 *
 * @param avro the record
 * @param map positions of Ebb's fields in the record
 * @param ours Ebb's schema
 */
record Fields(IndexedRecord avro, FieldMap map, Schema ours) {

    @Nullable
    Object get(String name) {
        return map.get(avro, ours.getField(name));
    }

    @Nullable
    String text(String name) {
        return FieldValue.text(name, get(name));
    }

    @Nullable
    Long number(String name) {
        return FieldValue.number(name, get(name));
    }

    @Nullable
    Boolean truth(String name) {
        return FieldValue.truth(name, get(name));
    }

    @Nullable
    Map<String, String> texts(String name) {
        return FieldValue.texts(name, get(name));
    }

    /** Returns the text; empty if there is none. */
    String textOrEmpty(String name) {
        return Objects.requireNonNullElse(text(name), "");
    }

    /** Returns the number; 0 if there is none. */
    long count(String name) {
        return Objects.requireNonNullElse(number(name), 0L);
    }

    /** Returns the truth value; false if there is none. */
    boolean flag(String name) {
        return Boolean.TRUE.equals(truth(name));
    }

    /** Returns the elements; none if there is no list. */
    Stream<?> elements(String name) {
        Object value = get(name);
        return value == null ? Stream.of() : FieldValue.list(name, value).stream();
    }

    /** Returns the text of a required field. */
    String givenText(String name) {
        return Objects.requireNonNull(FieldValue.text(name, given(name)));
    }

    /** Returns the number of a required field. */
    long givenNumber(String name) {
        return Objects.requireNonNull(FieldValue.number(name, given(name)));
    }

    /**
     * Returns the value of a required field.
     *
     * @throws RejectedException if it is missing
     */
    Object given(String name) {
        Object value = get(name);
        if (value == null) {
            throw new RejectedException(RejectReason.UNDECODABLE, name + " is missing");
        }
        return value;
    }
}
