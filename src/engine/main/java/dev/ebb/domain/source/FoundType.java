package dev.ebb.domain.source;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Words for the type of a value, which faults name in its place. */
final class FoundType {

    private FoundType() {}

    static String of(@Nullable Object value) {
        if (value == null) {
            return "nothing";
        } else if (value instanceof String) {
            return "a text";
        } else if (value instanceof Long || value instanceof BigInteger) {
            return "a whole number";
        } else if (value instanceof BigDecimal || value instanceof Double) {
            return "a number with a fraction";
        } else if (value instanceof Boolean) {
            return "a truth value";
        } else if (value instanceof byte[]) {
            return "bytes";
        } else if (value instanceof Instant) {
            return "a time";
        } else if (value instanceof LocalDate) {
            return "a date";
        } else if (value instanceof List) {
            return "a list";
        }
        return value instanceof SourceObject ? "an object" : "a value of another kind";
    }
}
