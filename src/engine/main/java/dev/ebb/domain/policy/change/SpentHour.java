package dev.ebb.domain.policy.change;

import java.time.Duration;
import java.util.List;

/**
 * Unconfirmed deletes of the last hour, as the policy gate tells them to the instances (T-15). Immutable.
 *
 * @param minutes the deletes by namespace and minute; if there are too many, the largest ones
 */
public record SpentHour(List<Minute> minutes) {

    /** No deletes. */
    public static final SpentHour NOTHING = new SpentHour(List.of());

    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long MINUTE_MS = Duration.ofMinutes(1).toMillis();

    public SpentHour {
        minutes = List.copyOf(minutes);
    }

    /**
     * Deletes of one minute in one namespace.
     *
     * @param minute the minute, counted from 1970
     */
    public record Minute(String namespace, long minute, SpentDeletes deletes) {}

    /** Returns the minute of that time, epoch milliseconds. */
    public static long minuteOf(long nowMs) {
        return Math.floorDiv(nowMs, MINUTE_MS);
    }

    /** Returns the first minute that counts at that time, epoch milliseconds. */
    public static long firstMinute(long nowMs) {
        return minuteOf(nowMs - HOUR_MS);
    }

    /** Returns what the namespace has lost by now; a time in the future counts, since a clock may have gone back. */
    public SpentDeletes of(String namespace, long nowMs) {
        return minutes.stream()
                .filter(spent -> spent.namespace().equals(namespace) && spent.minute() >= firstMinute(nowMs))
                .map(Minute::deletes)
                .reduce(SpentDeletes.NOTHING, SpentDeletes::plus);
    }
}
