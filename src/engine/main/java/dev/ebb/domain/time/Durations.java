package dev.ebb.domain.time;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Durations as people write them: {@code 500ms}, {@code 15m}, {@code 24h}, {@code 30d}, {@code 2w}, {@code 3mo}, {@code
 * P30D}, {@code P2W}, {@code PT5M}. A month has 30 days. Units are in lower case: elsewhere {@code M} is a month, and {@code m} a
 * minute.
 */
public final class Durations {

    private static final Pattern SHORT = Pattern.compile("(-?\\d{1,100})\\s*(ms|s|mo|m|h|d|w)");
    private static final Pattern CAPITAL = Pattern.compile("-?\\d{1,100}\\s*(?i:ms|s|mo|m|h|d|w)");
    private static final Pattern ISO_WEEKS = Pattern.compile("(?i)(-?)P(-?\\d{1,100})W");
    private static final Pattern BARE = Pattern.compile("-?\\d{1,100}");
    private static final Pattern FRACTION = Pattern.compile("(?i)(-?\\d+[.,]\\d+\\s*[a-z]+|-?P.*\\d[.,]\\d.*)");
    private static final Pattern ISO_MONTHS = Pattern.compile("(?i)-?P[^T]*\\d+[MY].*");
    private static final Pattern YEARS = Pattern.compile("(?i)-?\\d+\\s*(y|yr|year|years)");
    private static final Pattern SEVERAL = Pattern.compile("(?i)-?\\d+\\s*[a-z]+(\\s*\\d+\\s*[a-z]+)+");
    private static final Pattern WORD = Pattern.compile("(?i)(-?\\d+)\\s*([a-z]+)");
    private static final Map<String, List<String>> WORDS = Map.of(
            "ms", List.of("msec", "msecs", "millis", "millisecond", "milliseconds"),
            "s", List.of("sec", "secs", "second", "seconds"),
            "m", List.of("min", "mins", "minute", "minutes"),
            "h", List.of("hr", "hrs", "hour", "hours"),
            "d", List.of("day", "days"),
            "w", List.of("wk", "week", "weeks"),
            "mo", List.of("month", "months"));
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long WEEK = 7 * DAY;
    private static final long MONTH = 30 * DAY;

    private Durations() {}

    /**
     * Returns the milliseconds of the text; may be zero or negative, so that the caller can name the fault.
     *
     * @throws IllegalArgumentException if the text is not a duration, or is too long to count in milliseconds
     */
    public static long parseMs(String text) {
        try {
            Matcher matcher = SHORT.matcher(text.strip());
            return matcher.matches()
                    ? Math.multiplyExact(Long.parseLong(matcher.group(1)), unitMs(matcher.group(2)))
                    : isoMs(text.strip());
        } catch (ArithmeticException | NumberFormatException e) {
            throw tooLong(text, e);
        } catch (DateTimeParseException e) {
            if (e.getCause() instanceof ArithmeticException || e.getCause() instanceof NumberFormatException) {
                throw tooLong(text, e);
            }
            throw new IllegalArgumentException(
                    CAPITAL.matcher(text.strip()).matches()
                            ? capital(text.strip())
                            : "'" + text + "' " + why(text.strip()),
                    e);
        }
    }

    private static long isoMs(String text) {
        Matcher weeks = ISO_WEEKS.matcher(text);
        if (weeks.matches()) {
            long ms = Math.multiplyExact(Long.parseLong(weeks.group(2)), WEEK);
            return weeks.group(1).isEmpty() ? ms : -ms;
        }
        Duration duration = Duration.parse(text);
        long ms = duration.toMillis();
        if (!duration.equals(Duration.ofMillis(ms))) {
            throw new IllegalArgumentException("'" + text + "' is finer than a millisecond");
        }
        return ms;
    }

    private static IllegalArgumentException tooLong(String text, RuntimeException cause) {
        return new IllegalArgumentException("'" + text + "' is too long", cause);
    }

    /** Returns the fault of a text that is no duration, and what to write if that can be told. */
    private static String why(String text) {
        if (BARE.matcher(text).matches()) {
            return "has no unit; write for example " + text + "s or " + text + "d";
        } else if (FRACTION.matcher(text).matches()) {
            return "has a fraction; write it in a smaller unit, such as 90m for 1.5h";
        } else if (ISO_MONTHS.matcher(text).matches() || YEARS.matcher(text).matches()) {
            return "has months or years, which differ in length; write days, such as 30d or 365d";
        } else if (SEVERAL.matcher(text).matches()) {
            return "has several units; write one, such as 90m, or P1DT12H";
        }
        Matcher word = WORD.matcher(text);
        String unit = word.matches() ? unitOf(word.group(2).toLowerCase(Locale.ROOT)) : null;
        return unit == null
                ? "is not a duration; write for example 15m, 24h, 30d or P30D"
                : "is not a duration; write " + word.group(1) + unit;
    }

    private static @Nullable String unitOf(String word) {
        return WORDS.entrySet().stream()
                .filter(unit -> unit.getValue().contains(word))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    /** Returns the message for a unit in capitals. Only {@code M} has two meanings. */
    private static String capital(String text) {
        return text.endsWith("M")
                ? "'" + text + "' is not clear: write m for minutes or mo for months of 30 days"
                : "'" + text + "' has its unit in capitals; write " + text.toLowerCase(Locale.ROOT);
    }

    /** Returns the shortest text that {@link #parseMs} reads back as the same number. */
    public static String format(long ms) {
        if (ms == 0 || ms % SECOND != 0) {
            return ms + "ms";
        }
        if (ms % DAY == 0) {
            return ms / DAY + "d";
        }
        if (ms % HOUR == 0) {
            return ms / HOUR + "h";
        }
        return ms % MINUTE == 0 ? ms / MINUTE + "m" : ms / SECOND + "s";
    }

    /**
     * Returns the duration as people read it: in whole days from two days on, in whole hours from two hours on, and so on
     * to seconds, rounded towards zero.
     */
    public static String about(long ms) {
        for (long unit : new long[] {DAY, HOUR, MINUTE}) {
            if (ms >= 2 * unit) {
                return format(ms - ms % unit);
            }
        }
        return ms < SECOND ? format(ms) : ms / SECOND + "s";
    }

    /**
     * Returns the time after the given duration; {@link Long#MAX_VALUE}, which never comes, if a long is too small for
     * the time.
     *
     * @param timeMs epoch milliseconds, not negative
     * @param durationMs in milliseconds, not negative
     */
    public static long after(long timeMs, long durationMs) {
        return durationMs > Long.MAX_VALUE - timeMs ? Long.MAX_VALUE : timeMs + durationMs;
    }

    /**
     * Returns true if a pause is over. A pause that ends further ahead than its own length began before the clock was
     * put back; waiting for its end would take as long as the clock was ahead.
     *
     * @param endMs the time at which the pause ends, epoch milliseconds
     * @param pauseMs the length of the pause, in milliseconds, not negative
     */
    public static boolean isOver(long endMs, long pauseMs, long nowMs) {
        return nowMs >= endMs || endMs - nowMs > pauseMs;
    }

    private static long unitMs(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "s" -> SECOND;
            case "m" -> MINUTE;
            case "h" -> HOUR;
            case "d" -> DAY;
            case "w" -> WEEK;
            default -> MONTH;
        };
    }
}
