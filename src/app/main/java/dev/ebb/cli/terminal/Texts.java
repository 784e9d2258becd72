package dev.ebb.cli.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.serde.text.EventJson;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Numbers and times in a form for people; a dash for a missing value. Does without Java's formatters, which load the
 * data of all locales: no short command should wait for that.
 */
public final class Texts {

    public static final String NONE = "-";
    private static final int GROUP = 3;
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private Texts() {}

    /** Returns a number with separators between thousands. */
    public static String count(JsonNode number) {
        return number.isNumber() ? count(number.longValue()) : NONE;
    }

    /** Returns a number with separators between thousands; a dash for null. */
    public static String count(@Nullable Long number) {
        return number == null ? NONE : count(number.longValue());
    }

    public static String count(long number) {
        StringBuilder text = new StringBuilder(Long.toString(number));
        int first = number < 0 ? 1 : 0;
        for (int i = text.length() - GROUP; i > first; i -= GROUP) {
            text.insert(i, ',');
        }
        return text.toString();
    }

    /** Returns the number with its noun: {@code 1 event}, {@code 2 events}. */
    public static String counted(long number, String noun) {
        return count(number) + " " + plural(number, noun);
    }

    /** Returns the number with its noun; a dash for JSON that is no number. */
    public static String counted(JsonNode number, String noun) {
        return number.isNumber() ? counted(number.longValue(), noun) : NONE + " " + noun + "s";
    }

    /** Returns the noun in the form that the number needs. */
    public static String plural(long number, String noun) {
        return number == 1 ? noun : noun + "s";
    }

    /** Returns a size in the unit that makes it a small number. */
    public static String bytes(JsonNode number) {
        return number.isNumber() ? bytes(number.longValue()) : NONE;
    }

    /** Returns a size in the unit that makes it a small number; a dash for null. */
    public static String bytes(@Nullable Long bytes) {
        return bytes == null ? NONE : bytes(bytes.longValue());
    }

    public static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        long tenths = Math.round(value * 10);
        return unit == 0 ? bytes + " B" : tenths / 10 + "." + tenths % 10 + " " + UNITS[unit];
    }

    /** Returns the time in the form of REST: ISO-8601, UTC, with milliseconds; a dash for null. */
    public static String time(@Nullable Instant time) {
        return time == null ? NONE : EventJson.time(time.toEpochMilli());
    }

    /** Returns what decided a delete, by the scope in its record: a policy, the TTL of the event, or a command. */
    public static String rule(String scope) {
        return switch (scope) {
            case RemovalRule.EVENT -> "its own TTL";
            case RemovalRule.COMMAND -> "a command";
            default -> "policy " + scope;
        };
    }

    /** Returns the time without fractions of a second; a dash for null. */
    public static String second(@Nullable Instant time) {
        return time(time).replaceFirst("\\.\\d+Z$", "Z");
    }

    /** Returns the distance of the time from now, before or after; a dash for null. */
    public static String distance(@Nullable Instant time, Instant now) {
        return time == null ? NONE : distance(Duration.between(now, time));
    }

    private static String distance(Duration until) {
        return until.isNegative() ? length(until.negated()) + " ago" : "in " + length(until);
    }

    /** Returns the duration in the unit that makes it a small number, rounded: 30 days are no 29 a second later. */
    public static String length(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds >= 2 * DAY - MINUTE) {
            return Math.round((double) seconds / DAY) + " d";
        }
        if (seconds >= 2 * HOUR - MINUTE) {
            return Math.round((double) seconds / HOUR) + " h";
        }
        return seconds >= 2 * MINUTE ? Math.round((double) seconds / MINUTE) + " min" : seconds + " s";
    }
}
