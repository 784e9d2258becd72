package dev.ebb.domain.event;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Range of the moments that records name in epoch milliseconds: 1971 to 9999 (O-22). A number outside has another unit,
 * and its event would be gone at once, or never. Stateless.
 */
public final class TimeRule {

    /** The last millisecond of 9999: later times can neither be written nor read as RFC 3339 has it. */
    public static final long LAST_MS = 253_402_300_799_999L;

    private static final long FIRST_MS = 31_536_000_000L;
    private static final long EIGHT_DIGITS = 10_000_000;
    private static final long NINE_DIGITS = 100_000_000;

    /** The digits of the first and the last minute of the years that people write, and of seconds. */
    private static final long FIRST_MINUTE = 197_101_010_000L;

    private static final long LAST_MINUTE = 219_912_312_359L;
    private static final long SECONDS = 100;
    private static final DateTimeFormatter DIGITS =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);

    private TimeRule() {}

    /** Returns the fault of a moment in epoch milliseconds, which begins with the number; null if there is none. */
    public static @Nullable String problem(long ms) {
        if (ms >= FIRST_MS && ms <= LAST_MS) {
            return null;
        }
        return ms + " is read as " + dateOf(ms) + (ms < FIRST_MS ? ", before 1971" : ", after 9999") + guess(ms);
    }

    /**
     * Returns the fault of a bare number that is to be epoch milliseconds; null if there is none. The digits of a date
     * with a time, such as 20261128101500, may be in the range and are not meant as milliseconds: read as such they are
     * of 1976 or of the 27th century.
     */
    public static @Nullable String problemOfNumber(long ms) {
        String problem = problem(ms);
        LocalDateTime digits = problem == null ? digits(ms) : null;
        return digits == null
                ? problem
                : ms + " is read as " + dateOf(ms) + "; a date and a time? Write it as " + digits + "Z";
    }

    /** Returns the date and time whose digits the number has, to the minute or to the second; null if there is none. */
    private static @Nullable LocalDateTime digits(long number) {
        long seconds = number <= LAST_MINUTE ? number * SECONDS : number;
        if (number < FIRST_MINUTE || seconds / SECONDS < FIRST_MINUTE || seconds / SECONDS > LAST_MINUTE) {
            return null;
        }
        try {
            return LocalDateTime.parse(Long.toString(seconds), DIGITS);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static LocalDate dateOf(long ms) {
        return Instant.ofEpochMilli(ms).atOffset(ZoneOffset.UTC).toLocalDate();
    }

    /** Returns the unit that the author may have meant; empty if no unit gives a moment in the range. */
    private static String guess(long ms) {
        if (ms > LAST_MS) {
            return ms / 1000 <= LAST_MS ? "; microseconds?" : "; nanoseconds?";
        }
        if (isDate(ms)) {
            return "; a date?";
        }
        return ms >= FIRST_MS / 1000 ? "; seconds?" : "";
    }

    private static boolean isDate(long number) {
        try {
            return number >= EIGHT_DIGITS
                    && number < NINE_DIGITS
                    && LocalDate.parse(Long.toString(number), DateTimeFormatter.BASIC_ISO_DATE) != null;
        } catch (DateTimeException e) {
            return false;
        }
    }
}
