package dev.ebb.topology.erase;

import dev.ebb.domain.erase.EraseLimit;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rest of the events that an erasure may still take from the store of a partition: those that the brake has counted
 * (T-15), and as many more as were named. Not thread-safe.
 */
final class EraseAllowance {

    private final @Nullable EraseLimit limit;
    private final Map<String, Long> taken;
    private long sum;

    /**
     * @param limit the most events that may go; null for any number
     * @param taken the events that had gone before a crash, by namespace
     */
    public EraseAllowance(@Nullable EraseLimit limit, Map<String, Long> taken) {
        this.limit = limit;
        this.taken = new TreeMap<>(taken);
        this.sum = taken.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Takes one event of the namespace; returns false if it must stay. */
    boolean take(String namespace) {
        if (limit == null) {
            return true;
        }
        long here = taken.getOrDefault(namespace, 0L);
        if (sum >= limit.events() || here >= limit.in(namespace)) {
            return false;
        }
        taken.put(namespace, here + 1);
        sum++;
        return true;
    }

    /** Returns the limit; null if there is none. */
    public @Nullable EraseLimit limit() {
        return limit;
    }

    /** Returns the number of events that have gone, by namespace; empty without a limit. */
    public Map<String, Long> taken() {
        return taken;
    }
}
