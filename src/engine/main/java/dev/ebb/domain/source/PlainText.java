package dev.ebb.domain.source;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/** Values as texts: of names, statuses and metadata. */
final class PlainText {

    /** Maximum number of digits before or behind the point: a short number can stand for a very long text. */
    private static final int MAX_SCALE = 400;

    private PlainText() {}

    /**
     * Returns the text of the value at a path; null if the path leads to nothing.
     *
     * @throws SourceFaultException if the value is not one text
     */
    static @Nullable String at(SourcePath path, SourceContent content) {
        Object value = path.find(content);
        if (value == null) {
            return null;
        }
        String text = of(value);
        if (text == null) {
            throw SourceFaultException.type(
                    path, "must be a text, a number or a truth value, found " + FoundType.of(value));
        }
        return text;
    }

    private static @Nullable String of(Object value) {
        if (value instanceof String text) {
            return text;
        }
        if (value instanceof BigDecimal number) {
            return decimal(number);
        }
        if (value instanceof Double number) {
            return Double.isFinite(number) ? decimal(BigDecimal.valueOf(number)) : null;
        }
        boolean isPlain = value instanceof Long
                || value instanceof BigInteger
                || value instanceof Boolean
                || value instanceof Instant
                || value instanceof LocalDate;
        return isPlain ? value.toString() : null;
    }

    /** Returns the digits; null if there are too many. */
    private static @Nullable String decimal(BigDecimal number) {
        return Math.abs((long) number.scale()) > MAX_SCALE ? null : number.toPlainString();
    }
}
