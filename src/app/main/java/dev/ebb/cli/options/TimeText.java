package dev.ebb.cli.options;

import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.domain.policy.Durations;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Times and durations as people type them. */
public final class TimeText {

    private static final String DATE = "\\d{4}-\\d{2}-\\d{2}";

    private TimeText() {}

    /**
     * Returns the epoch milliseconds of a time: ISO-8601, a date (its first moment in UTC) or epoch milliseconds.
     *
     * @param option the option of the text, for the message
     */
    public static @Nullable Long time(String option, @Nullable String text) {
        return time(option, text, "");
    }

    /** @param more another accepted form, for the message */
    private static @Nullable Long time(String option, @Nullable String text, String more) {
        if (text == null) {
            return null;
        }
        try {
            if (text.matches("\\d{1,18}")) {
                return Long.parseLong(text);
            }
            return text.matches(DATE)
                    ? LocalDate.parse(text)
                            .atStartOfDay(ZoneOffset.UTC)
                            .toInstant()
                            .toEpochMilli()
                    : OffsetDateTime.parse(text).toInstant().toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            String what = option + ": '" + text + "' is not a time; write for example 2026-01-31T09:00:00Z,"
                    + " 2026-01-31 or epoch milliseconds" + more;
            throw new CommandFailure(ExitCode.USAGE, what, e);
        }
    }

    /** Returns the first moment of a date, in UTC; returns any other text unchanged, for the application to check. */
    static @Nullable String dateAsTime(@Nullable String text) {
        return text != null && text.matches(DATE) ? text + "T00:00:00Z" : text;
    }

    /** Returns the epoch milliseconds of a time as in {@link #time}, or of a duration, which counts back from now. */
    public static @Nullable Long pastTime(String option, @Nullable String text, long nowMs) {
        if (text == null || !isDuration(text)) {
            return time(option, text, ", or a duration back from now: 20m");
        }
        long past = nowMs - durationMs(option, text);
        if (past < 0) {
            throw CommandFailure.usage(option + ": " + text + " ago is before 1970");
        }
        return past;
    }

    /** Returns the milliseconds of a positive duration. */
    public static long durationMs(String option, String text) {
        try {
            long ms = Durations.parseMs(text);
            if (ms > 0) {
                return ms;
            }
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, option + ": " + e.getMessage(), e);
        }
        throw CommandFailure.usage(option + " must be a positive duration, was " + text);
    }

    private static boolean isDuration(String text) {
        return text.matches("(?i)-?(\\d+\\s*(ms|s|m|h|d|w)|P.*)");
    }
}
