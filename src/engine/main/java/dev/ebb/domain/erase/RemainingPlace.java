package dev.ebb.domain.erase;

import org.jspecify.annotations.Nullable;

/**
 * A place where bytes of erased events may remain for a while (T-11).
 *
 * @param name the topic, the table or the files
 * @param content the part of the events that may remain
 * @param untilMs the time by which no bytes remain, epoch milliseconds; null if there is no bound
 * @param setting the setting that bounds the time, or would bound it
 */
public record RemainingPlace(
        String name, String content, @Nullable Long untilMs, String setting) {

    /** Returns true if no bytes remain at the given time, epoch milliseconds; never for a place without a bound. */
    public boolean isClean(long nowMs) {
        return untilMs != null && nowMs > untilMs;
    }
}
