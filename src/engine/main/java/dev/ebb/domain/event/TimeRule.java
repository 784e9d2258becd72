package dev.ebb.domain.event;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
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

    private TimeRule() {}

    /** Returns the fault of a moment in epoch milliseconds, which begins with the number; null if there is none. */
    public static @Nullable String problem(long ms) {
        if (ms >= FIRST_MS && ms <= LAST_MS) {
            return null;
        }
        LocalDate date = Instant.ofEpochMilli(ms).atOffset(ZoneOffset.UTC).toLocalDate();
        return ms + " is read as " + date + (ms < FIRST_MS ? ", before 1971" : ", after 9999") + guess(ms);
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
