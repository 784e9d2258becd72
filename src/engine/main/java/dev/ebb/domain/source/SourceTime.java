package dev.ebb.domain.source;

import dev.ebb.domain.event.TimeRule;
import dev.ebb.domain.time.DateBound;
import dev.ebb.domain.time.Times;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A time in a record: ISO-8601, a time by its schema, or a number in a declared unit, which is never guessed (F-2).
 *
 * @param from the path of the time
 * @param unit the unit of numbers; null if numbers are a fault
 * @param plusMs the time that is added, in milliseconds; at least 0
 */
public record SourceTime(SourcePath from, @Nullable Unit unit, long plusMs) {

    private static final Pattern DIGITS = Pattern.compile("-?\\d{1,30}");
    private static final String FORMS = "must be a time as ISO-8601, or a number with a declared unit";

    /** Units of numbers since the beginning of 1970. */
    public enum Unit {
        /** Seconds. */
        S(1000, 1),
        /** Milliseconds. */
        MS(1, 1),
        /** Microseconds. */
        US(1, 1000),
        /** Nanoseconds. */
        NS(1, 1_000_000),
        /** Days. */
        DAYS(86_400_000, 1);

        private final BigInteger factor;
        private final long divisor;

        Unit(long factor, long divisor) {
            this.factor = BigInteger.valueOf(factor);
            this.divisor = divisor;
        }

        /** Returns the word of a declaration. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns the unit of a word; empty if there is none. */
        public static Optional<Unit> parse(String text) {
            return Stream.of(values()).filter(unit -> unit.text().equals(text)).findFirst();
        }

        /** Returns the milliseconds, rounded down: an event must not live shorter than its record says. */
        private BigInteger ms(BigInteger number) {
            long rounded = number.signum() < 0 ? divisor - 1 : 0;
            return number.multiply(factor).subtract(BigInteger.valueOf(rounded)).divide(BigInteger.valueOf(divisor));
        }
    }

    public SourceTime {
        if (plusMs < 0) {
            throw new IllegalArgumentException("plus must not be negative");
        }
    }

    /**
     * Returns the time of a record in epoch milliseconds, from 1971 to 9999; null if the path leads to nothing.
     *
     * @param bound the meaning of a date
     * @throws SourceFaultException if the value is not a time
     */
    @Nullable
    Long ms(SourceContent content, DateBound bound) {
        Object value = from.find(content);
        if (value == null) {
            return null;
        }
        BigInteger ms = bigMs(value, bound);
        if (ms.bitLength() >= Long.SIZE || TimeRule.problem(ms.longValue()) != null) {
            String of = value instanceof Number && unit != null ? ", as a number in " + unit.text() : "";
            throw SourceFaultException.type(from, "must be between 1971 and 9999, found a time outside" + of);
        }
        // A life beyond 9999 has no end that could be written; its last millisecond stands for it.
        return Math.min(ms.longValue() + Math.min(plusMs, TimeRule.LAST_MS), TimeRule.LAST_MS);
    }

    private BigInteger bigMs(Object value, DateBound bound) {
        if (value instanceof Instant instant) {
            return instantMs(instant);
        }
        if (value instanceof LocalDate date) {
            return BigInteger.valueOf(bound.ms(date));
        }
        BigInteger number = number(value);
        if (number != null) {
            return numberMs(number, bound);
        }
        if (value instanceof String text) {
            return textMs(text.strip(), bound);
        }
        throw SourceFaultException.type(from, FORMS + ", found " + FoundType.of(value));
    }

    /** Returns the whole number; null if it is none. Digits in a text are a number too. */
    private static @Nullable BigInteger number(Object value) {
        if (value instanceof Long number) {
            return BigInteger.valueOf(number);
        }
        if (value instanceof BigInteger number) {
            return number;
        }
        return value instanceof String text && DIGITS.matcher(text).matches() ? new BigInteger(text) : null;
    }

    private BigInteger numberMs(BigInteger number, DateBound bound) {
        if (unit == null) {
            throw SourceFaultException.type(
                    from, "found a number without a unit; declare {from: " + from + ", unit: s|ms|us|ns|days}");
        }
        BigInteger ms = unit.ms(number);
        boolean isLastOfDay = unit == Unit.DAYS && bound == DateBound.END;
        return isLastOfDay ? ms.add(Unit.DAYS.factor).subtract(BigInteger.ONE) : ms;
    }

    private BigInteger textMs(String text, DateBound bound) {
        try {
            return BigInteger.valueOf(Times.readFixed(text, bound));
        } catch (IllegalArgumentException e) {
            throw SourceFaultException.type(from, FORMS + ", found a text that is none");
        }
    }

    private static BigInteger instantMs(Instant instant) {
        return BigInteger.valueOf(instant.getEpochSecond())
                .multiply(Unit.S.factor)
                .add(BigInteger.valueOf(instant.getNano() / 1_000_000));
    }
}
