package dev.ebb.cli.options;

import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.domain.command.CommandField;
import dev.ebb.domain.time.DateBound;
import dev.ebb.domain.time.Durations;
import dev.ebb.domain.time.Times;
import java.time.Instant;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Times and durations in options. */
public final class TimeText {

    private TimeText() {}

    /**
     * Returns the epoch milliseconds of a time for a field of a command; null for no text.
     *
     * @param option the option of the text, for the message
     */
    public static @Nullable Long of(CommandField<Long> field, String option, @Nullable String text) {
        return read(option, text, given -> field.moment(given, System.currentTimeMillis()));
    }

    /** Returns the epoch milliseconds of a time that has passed; null for no text. */
    public static @Nullable Long past(String option, @Nullable String text, DateBound bound) {
        return read(option, text, given -> Times.read(given, bound, System.currentTimeMillis()));
    }

    /** Returns a time as a parameter of a request: a duration counts back from now, whenever the request comes. */
    static @Nullable String parameter(String option, @Nullable String text, DateBound bound) {
        Long ms = past(option, text, bound);
        return ms == null ? null : Instant.ofEpochMilli(ms).toString();
    }

    private static @Nullable Long read(String option, @Nullable String text, ToLongFunction<String> reader) {
        if (text == null) {
            return null;
        }
        try {
            return reader.applyAsLong(text);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, option + ": " + e.getMessage(), e);
        }
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
}
