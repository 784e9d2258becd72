package dev.ebb.domain.policy.change;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

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

    /** Returns what the namespace may have lost by now; a time in the future counts, since a clock may have gone back. */
    public SpentDeletes of(String namespace, long nowMs) {
        Map<String, SpentDeletes> spent = new HashMap<>();
        for (Minute one : minutes) {
            if (one.minute() >= firstMinute(nowMs)) {
                spent.merge(one.namespace(), one.deletes(), SpentDeletes::plus);
            }
        }
        return most(namespace, spent.keySet(), name -> spent.getOrDefault(name, SpentDeletes.NOTHING));
    }

    /**
     * Returns the most that the namespace may have lost: it may have been one of the {@linkplain NamespaceLoss#OTHERS
     * others} that were not named, and these may have been any.
     *
     * @param names the namespaces with deletes
     * @param spent returns the deletes that are noted for a name
     */
    public static SpentDeletes most(String namespace, Set<String> names, Function<String, SpentDeletes> spent) {
        SpentDeletes others = spent.apply(NamespaceLoss.OTHERS);
        if (!namespace.equals(NamespaceLoss.OTHERS)) {
            return spent.apply(namespace).plus(others);
        }
        long named = names.stream()
                .filter(name -> !name.equals(NamespaceLoss.OTHERS))
                .mapToLong(name -> spent.apply(name).events())
                .max()
                .orElse(0);
        return others.plus(new SpentDeletes(named, 0));
    }
}
