package dev.ebb.serde.records;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.time.DateBound;
import dev.ebb.domain.time.Times;
import dev.ebb.serde.schemas.RejectedException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Reads moments whose author has given them one of Avro's logical types, so that their unit need not be guessed, or has
 * written them as texts (O-22). Stateless.
 */
final class LogicalTimes {

    private static final Set<String> MOMENTS = Set.of("occurredAt", "completedAt", "startedAt", "expiresAt");
    private static final String DATE = "date";
    private static final String TEXT = "string";

    /** As milliseconds since 1970 they would be of that year, or for microseconds of the next ones. */
    private static final Set<String> TIMES_OF_DAY = Set.of("time-millis", "time-micros");

    /** Number of units in a millisecond, by the name of the logical type. */
    private static final Map<String, Long> UNITS = Map.of(
            "timestamp-micros", 1_000L,
            "local-timestamp-micros", 1_000L,
            "timestamp-nanos", 1_000_000L,
            "local-timestamp-nanos", 1_000_000L);

    private LogicalTimes() {}

    /** Returns the form of a field whose values need a conversion, other than to milliseconds; null if none do. */
    static @Nullable String of(String field, Schema schema) {
        if (schema.getType() == Schema.Type.UNION) {
            return schema.getTypes().stream()
                    .map(type -> of(field, type))
                    .filter(name -> name != null)
                    .findFirst()
                    .orElse(null);
        }
        boolean isMoment = MOMENTS.contains(field);
        if (isMoment && schema.getType() == Schema.Type.STRING) {
            return TEXT;
        }
        String name = schema.getProp("logicalType");
        boolean isTime = name != null && (UNITS.containsKey(name) || name.equals(DATE));
        return isTime || (isMoment && name != null && TIMES_OF_DAY.contains(name)) ? name : null;
    }

    /**
     * Returns the value in milliseconds; any value that is neither a whole number nor a text as it is.
     *
     * @param type the form of the field
     * @param field the field of Ebb's record; a date means its end where it ends a life
     * @throws RejectedException if the value is no moment
     */
    static @Nullable Object ms(String type, String field, @Nullable Object value) {
        if (value instanceof CharSequence text && MOMENTS.contains(field)) {
            return textMs(field, text.toString());
        }
        if (type.equals(TEXT) || !(value instanceof Long || value instanceof Integer)) {
            return value;
        }
        if (TIMES_OF_DAY.contains(type)) {
            throw fault(field, "has the logical type " + type + ", which is a time of day and no moment");
        }
        long number = ((Number) value).longValue();
        Long unit = UNITS.get(type);
        return unit == null ? date(field, number) : (Object) Math.floorDiv(number, unit);
    }

    private static long textMs(String field, String text) {
        try {
            return Times.readFixed(text, DateBound.inRecord(field));
        } catch (IllegalArgumentException e) {
            throw fault(field, "is not a time: " + e.getMessage());
        }
    }

    private static RejectedException fault(String field, String problem) {
        return new RejectedException(RejectReason.UNDECODABLE, field + " " + problem);
    }

    private static Object date(String field, long days) {
        try {
            return DateBound.inRecord(field).ms(LocalDate.ofEpochDay(days));
        } catch (DateTimeException e) {
            return Long.MAX_VALUE;
        }
    }
}
