package dev.ebb.serde.records;

import dev.ebb.domain.time.DateBound;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Map;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Reads moments whose author has given them one of Avro's logical types: their unit is in the schema and need not be
 * guessed (O-22). Stateless.
 */
final class LogicalTimes {

    private static final String DATE = "date";

    /** Number of units in a millisecond, by the name of the logical type. */
    private static final Map<String, Long> UNITS = Map.of(
            "timestamp-micros", 1_000L,
            "local-timestamp-micros", 1_000L,
            "timestamp-nanos", 1_000_000L,
            "local-timestamp-nanos", 1_000_000L);

    private LogicalTimes() {}

    /** Returns the logical type that counts in another unit than milliseconds; null if there is none. */
    static @Nullable String of(Schema schema) {
        if (schema.getType() == Schema.Type.UNION) {
            return schema.getTypes().stream()
                    .map(LogicalTimes::of)
                    .filter(name -> name != null)
                    .findFirst()
                    .orElse(null);
        }
        String name = schema.getProp("logicalType");
        return name != null && (UNITS.containsKey(name) || name.equals(DATE)) ? name : null;
    }

    /**
     * Returns the value in milliseconds; any value that is no whole number as it is.
     *
     * @param type the logical type
     * @param field the field of Ebb's record; a date means its end where it ends a life
     */
    static @Nullable Object ms(String type, String field, @Nullable Object value) {
        if (!(value instanceof Long || value instanceof Integer)) {
            return value;
        }
        long number = ((Number) value).longValue();
        Long unit = UNITS.get(type);
        return unit == null ? date(field, number) : (Object) Math.floorDiv(number, unit);
    }

    private static Object date(String field, long days) {
        try {
            return DateBound.inRecord(field).ms(LocalDate.ofEpochDay(days));
        } catch (DateTimeException e) {
            return Long.MAX_VALUE;
        }
    }
}
