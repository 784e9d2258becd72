package dev.ebb.domain.time;

import dev.ebb.domain.event.TimeRule;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads moments as people and records write them (O-22): ISO-8601 with an offset, a date, epoch with its unit ({@code
 * 1764300000s}), and a duration ago ({@code 1h}), which records cannot have. Eight digits are a date. Stateless.
 */
public final class Times {

    /** The forms that people may write, for messages and descriptions. */
    public static final String FORMS =
            "ISO-8601, a date, a duration ago such as 1h, or epoch with its unit such as 1764300000s";

    private static final String EXAMPLES = "2026-01-31T09:00:00Z, 2026-01-31";

    /** ISO-8601 with an offset in any form: a time without an offset is a different moment in each place. */
    private static final DateTimeFormatter ISO = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
            .appendPattern("[XXX][XX][X]")
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    private static final Pattern DATE = Pattern.compile("(\\d{4})(-?)(\\d{2})\\2(\\d{2})");

    /** RFC 3339 allows any number of digits behind the point, and a blank in place of the T. */
    private static final Pattern MOMENT = Pattern.compile(
            "(.+\\d)[Tt ](\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?)(?:(?<=\\.\\d{9})\\d+)?([Zz]|[+-]\\d\\d(?::?\\d\\d)?)");

    private static final Pattern LOST_PLUS = Pattern.compile(".*\\d:\\d\\d\\S* (\\d\\d:?\\d\\d)");
    private static final Pattern EPOCH = Pattern.compile("(\\d{1,18})\\s*(ms|s)");
    private static final Pattern DURATION = Pattern.compile("(?i)-?\\d+(?:[.,]\\d+)?\\s*[a-z]+|-?P.*");
    private static final Pattern LEAP = Pattern.compile("(.*[Tt ]\\d\\d:\\d\\d):60(?:\\.\\d+)?([Zz]|[+-]\\d\\d.*)");
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    /** The longest duration of a number with a unit; a longer one could also be an epoch. */
    private static final long MOST_AGO_MS = 315_360_000_000L;

    /** Number of milliseconds from which on a number with a unit is an epoch, in September of 2001. */
    private static final long FIRST_EPOCH_MS = 1_000_000_000_000L;

    private Times() {}

    /**
     * Returns a moment that a person wrote, in epoch milliseconds from 1970 to 9999.
     *
     * @param bound the meaning of a date
     * @param nowMs the time from which a duration counts back, epoch milliseconds
     * @throws IllegalArgumentException if the text names no moment; the message is the end of a sentence
     */
    public static long read(String text, DateBound bound, long nowMs) {
        String given = text.strip();
        Matcher epoch = EPOCH.matcher(given);
        if (epoch.matches()) {
            return epochOrAgo(given, epoch, nowMs);
        }
        return DURATION.matcher(given).matches()
                ? ago(given, nowMs)
                : inRange(fixed(given, bound, ", or a duration ago as 1h"), given);
    }

    /**
     * Returns a moment that a person wrote and that may lie ahead, in epoch milliseconds from 1970 to 9999. A duration
     * is refused: its author would mean the time from now on.
     *
     * @param bound the meaning of a date
     * @throws IllegalArgumentException if the text names no moment; the message is the end of a sentence
     */
    public static long readAhead(String text, DateBound bound) {
        return inRange(readFixed(text.strip(), bound), text.strip());
    }

    /**
     * Returns an end that a person wrote, in epoch milliseconds from 1970 to 9999: a moment, or a duration from now on.
     *
     * @param bound the meaning of a date
     * @param nowMs the time from which a duration counts on, epoch milliseconds
     * @throws IllegalArgumentException if the text names no end; the message is the end of a sentence
     */
    public static long readEnd(String text, DateBound bound, long nowMs) {
        String given = text.strip();
        Matcher epoch = EPOCH.matcher(given);
        boolean isEpoch = epoch.matches() && epochMs(epoch) >= FIRST_EPOCH_MS;
        if (isEpoch || !DURATION.matcher(given).matches()) {
            return readAhead(given, bound);
        }
        long ms = Durations.parseMs(given);
        if (ms <= 0) {
            throw new IllegalArgumentException("must be a positive duration, was '" + given + "'");
        }
        return inRange(Durations.after(nowMs, ms), given);
    }

    /**
     * Returns a moment that stands in a record, in epoch milliseconds. A duration is refused, since its meaning would
     * change with the time of reading. The range is checked with the other rules for records.
     *
     * @param bound the meaning of a date
     * @throws IllegalArgumentException if the text names no moment; the message is the end of a sentence
     */
    public static long readFixed(String text, DateBound bound) {
        Matcher epoch = EPOCH.matcher(text);
        if (epoch.matches()) {
            long ms = epochMs(epoch);
            if (ms >= FIRST_EPOCH_MS) {
                return ms;
            }
        }
        if (DURATION.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "must be a moment, was the duration '" + text + "'; write for example " + EXAMPLES);
        }
        return fixed(text, bound, "");
    }

    /** @param other the other way to write a moment than as epoch, for the message */
    private static long fixed(String text, DateBound bound, String other) {
        Matcher date = DATE.matcher(text);
        try {
            if (date.matches()) {
                return bound.ms(LocalDate.of(number(date, 1), number(date, 3), number(date, 4)));
            }
            Matcher leap = LEAP.matcher(text);
            return leap.matches() ? leapSecond(leap) : moment(text);
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException(why(text, other), e);
        }
    }

    private static long moment(String text) {
        Matcher parts = MOMENT.matcher(text);
        if (!parts.matches()) {
            throw new DateTimeException("no date with a time and an offset");
        }
        String whole = parts.group(1) + "T" + parts.group(2) + parts.group(3);
        return OffsetDateTime.parse(whole, ISO).toInstant().toEpochMilli();
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }

    /** Returns the last millisecond of the minute to which a leap second belongs; only a day of UTC ends with one. */
    private static long leapSecond(Matcher leap) {
        long ms = moment(leap.group(1) + ":59.999" + leap.group(2));
        if (ms % 86_400_000 != 86_399_999) {
            throw new DateTimeException("a leap second is the last second of a day of UTC");
        }
        return ms;
    }

    private static long epochOrAgo(String text, Matcher epoch, long nowMs) {
        long ms = epochMs(epoch);
        if (ms >= FIRST_EPOCH_MS) {
            return inRange(ms, text);
        }
        if (ms < MOST_AGO_MS) {
            return ago(text, nowMs);
        }
        throw new IllegalArgumentException("'" + text + "' may be a duration or the epoch of "
                + Instant.ofEpochMilli(ms) + "; write the time as ISO-8601, or the duration in days");
    }

    private static long epochMs(Matcher epoch) {
        long number = Long.parseLong(epoch.group(1));
        return epoch.group(2).equals("s") ? number > Long.MAX_VALUE / 1000 ? Long.MAX_VALUE : number * 1000 : number;
    }

    private static long ago(String text, long nowMs) {
        long ms = Durations.parseMs(text);
        if (ms < 0) {
            throw new IllegalArgumentException("'" + text + "' is not a positive duration; 1h means an hour ago");
        }
        if (ms > nowMs) {
            throw new IllegalArgumentException(text + " ago is before 1970");
        }
        return nowMs - ms;
    }

    private static long inRange(long ms, String text) {
        if (ms < 0) {
            throw new IllegalArgumentException("must not be before 1970, was '" + text + "'");
        }
        if (ms > TimeRule.LAST_MS) {
            throw new IllegalArgumentException("must not be after 9999, was '" + text + "'");
        }
        return ms;
    }

    private static String why(String text, String other) {
        if (DATE.matcher(text).matches()) {
            return "'" + text + "' is not a date; write for example 2026-01-31";
        }
        if (DIGITS.matcher(text).matches()) {
            return "'" + text + "' has no unit; write epoch as " + epochExample(text) + other;
        }
        Matcher plus = LOST_PLUS.matcher(text);
        if (plus.matches()) {
            return "'" + text + "' has a blank before " + plus.group(1) + "; in a URL write + as %2B";
        }
        String local = text.replace(' ', 'T');
        return isWithoutOffset(local)
                ? "'" + text + "' names no offset; write " + local + "Z for UTC"
                : "'" + text + "' is not a time; write for example " + EXAMPLES + " or 1764300000s";
    }

    private static String epochExample(String digits) {
        boolean isOfMs = digits.length() >= 13;
        return digits.length() >= 10 && digits.length() < 16 ? digits + (isOfMs ? "ms" : "s") : "1764300000s";
    }

    private static boolean isWithoutOffset(String text) {
        try {
            LocalDateTime.parse(text);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }
}
