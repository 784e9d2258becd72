package dev.ebb.oracle;

import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.generic.GenericRecord;

/** Reads the fields of Avro records as what they are for people; null for null. */
final class Fields {

    private Fields() {}

    static String text(GenericRecord record, String field) {
        Object value = record.get(field);
        return value == null ? null : value.toString();
    }

    /** The text; empty for null. */
    static String textOrEmpty(GenericRecord record, String field) {
        String text = text(record, field);
        return text == null ? "" : text;
    }

    static Long number(GenericRecord record, String field) {
        return (Long) record.get(field);
    }

    static boolean truth(GenericRecord record, String field) {
        return Boolean.TRUE.equals(record.get(field));
    }

    static Map<String, String> texts(GenericRecord record, String field) {
        Map<String, String> texts = new TreeMap<>();
        ((Map<?, ?>) record.get(field)).forEach((key, value) -> texts.put(key.toString(), value.toString()));
        return texts;
    }
}
