package dev.ebb.domain.undo;

import dev.ebb.domain.Reported;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Notice under which events stand that an undo brings back (T-3): until its end no policy treats them as due. */
public record Notice(
        @Reported(
                value = "The last millisecond at which no policy treats these streams as due.",
                label = "under notice until")
        Instant until,

        @Reported(
                value = "Events that the policies in force take after that; an estimate, and usually too high, where"
                        + " keepLast or a cap decides, which depend on events that are yet to come.",
                label = "due again after that",
                always = true)
        long dueThen,

        @Reported(
                value = "The last millisecond of the first of these events, not before the end of the notice; null if"
                        + " the policies take none of them by age, own TTL or caps.",
                label = "the first goes after",
                always = true)
        @Nullable
        Instant firstDueAt) {

    /** An event may be due before, and goes after the notice all the same. */
    public Notice {
        firstDueAt = firstDueAt != null && firstDueAt.isBefore(until) ? until : firstDueAt;
    }

    /** Returns the sum of two notices of one undo; null if there is none. */
    public static @Nullable Notice sum(@Nullable Notice one, @Nullable Notice other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return new Notice(
                one.until.isAfter(other.until) ? one.until : other.until,
                one.dueThen + other.dueThen,
                earlier(one.firstDueAt, other.firstDueAt));
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isBefore(other) ? one : other;
    }
}
