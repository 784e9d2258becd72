package dev.ebb.domain.undo;

import org.jspecify.annotations.Nullable;

/**
 * Notice under which events stand that an undo brings back (T-3): until its end no policy treats them as due.
 *
 * @param untilMs the last millisecond of the last notice of this undo, epoch milliseconds
 * @param dueThen number of events that the policies in force take once the notice has ended. An estimate, and usually
 *     too high, where {@code keepLast} or a cap decides: those depend on events that are yet to come
 * @param firstDueMs the last millisecond of the first of all events that came back, not before the end of its notice,
 *     epoch milliseconds; null if the policies take none of them by age, own TTL or caps
 */
public record Notice(long untilMs, long dueThen, @Nullable Long firstDueMs) {

    /** Returns the sum of two notices of one undo; null if there is none. */
    static @Nullable Notice sum(@Nullable Notice one, @Nullable Notice other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return new Notice(
                Math.max(one.untilMs, other.untilMs),
                one.dueThen + other.dueThen,
                earlier(one.firstDueMs, other.firstDueMs));
    }

    private static @Nullable Long earlier(@Nullable Long one, @Nullable Long other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return Math.min(one, other);
    }
}
