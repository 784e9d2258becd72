package dev.ebb.domain.retention;

import dev.ebb.domain.retention.SweepReport.Tally;
import org.jspecify.annotations.Nullable;

/**
 * Events of a namespace that come due, as every place shows them.
 *
 * @param nextHour events that go within an hour, overdue events included; without events of policies that only warn,
 *     since no sweep takes them
 * @param nextDay events that go within a day, that hour included
 * @param expiring events that come due within {@code warnBefore} of their policy, including overdue events and events of
 *     policies that only warn
 * @param earliestMs the last millisecond of the first of the expiring events, epoch milliseconds; null if there are none
 * @param held events that a hold covers
 */
public record DueSums(
        Tally nextHour,
        Tally nextDay,
        Tally expiring,
        @Nullable Long earliestMs,
        long held) {

    public static final DueSums NOTHING = new DueSums(Tally.ZERO, Tally.ZERO, Tally.ZERO, null, 0);

    /** Returns the sum of both. */
    public DueSums plus(DueSums other) {
        return new DueSums(
                nextHour.plus(other.nextHour),
                nextDay.plus(other.nextDay),
                expiring.plus(other.expiring),
                earlier(earliestMs, other.earliestMs),
                held + other.held);
    }

    private static @Nullable Long earlier(@Nullable Long one, @Nullable Long other) {
        return one == null ? other : other == null ? one : (Long) Math.min(one, other);
    }
}
