package dev.ebb.domain.erase;

import org.jspecify.annotations.Nullable;

/**
 * A place where bytes of erased events may remain for a while (T-11).
 *
 * @param name the topic, the table or the files
 * @param content the part of the events that may be there
 * @param untilMs time by which nothing of it is left, epoch milliseconds; null: there is no bound
 * @param setting the setting that bounds it, or would
 */
public record Place(String name, String content, @Nullable Long untilMs, String setting) {

    /** Returns true if nothing is left there at that time; never of a place without a bound. */
    public boolean isClean(long nowMs) {
        return untilMs != null && nowMs > untilMs;
    }
}
