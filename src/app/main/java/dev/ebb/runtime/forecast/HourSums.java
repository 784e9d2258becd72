package dev.ebb.runtime.forecast;

import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Deletes by a stretch of time, namespace and cause. There are at most so many sums: when there would be more, the stretches
 * become longer. Not thread-safe.
 */
final class HourSums {

    static final long FIRST_STEP_MS = 60_000;
    private static final long[] STEPS = {FIRST_STEP_MS, 10 * 60_000L, 3_600_000L, 24 * 3_600_000L};

    private final int most;
    private int step;
    private final TreeMap<Long, Map<String, Map<String, Tally>>> sums = new TreeMap<>();
    private int count;

    /** @param most number of sums that are kept */
    HourSums(int most) {
        this.most = most;
    }

    void add(long atMs, String namespace, String cause, long events, long bytes) {
        put(atMs / stepMs(), namespace, cause, new Tally(events, bytes));
        while (count > most && step < STEPS.length - 1) {
            widen();
        }
    }

    /** Returns true if there is no room for more namespaces, however long the stretches are. */
    boolean isFull() {
        return count > most;
    }

    /** Length of the stretches, in milliseconds. */
    long stepMs() {
        return STEPS[step];
    }

    private void put(long number, String namespace, String cause, Tally tally) {
        Map<String, Tally> causes =
                sums.computeIfAbsent(number, key -> new HashMap<>()).computeIfAbsent(namespace, key -> new HashMap<>());
        count += causes.containsKey(cause) ? 0 : 1;
        causes.merge(cause, tally, (one, other) -> one.plus(other.events(), other.bytes()));
    }

    private void widen() {
        List<Map.Entry<Long, Map<String, Map<String, Tally>>>> all = new ArrayList<>(sums.entrySet());
        long narrowMs = stepMs();
        sums.clear();
        count = 0;
        step++;
        all.forEach(entry -> entry.getValue()
                .forEach((namespace, causes) -> causes.forEach(
                        (cause, tally) -> put(entry.getKey() * narrowMs / stepMs(), namespace, cause, tally))));
    }

    /** The number of the first stretch that does not begin before that time. */
    private long firstFrom(long timeMs) {
        return timeMs / stepMs() + (timeMs % stepMs() == 0 ? 0 : 1);
    }

    /** Is told of one sum. */
    @FunctionalInterface
    interface Listener {

        /** @param atMs the beginning of the stretch */
        void sum(long atMs, String namespace, String cause, Tally tally);
    }

    /** Tells the sums of all stretches that begin in that time. */
    void tell(long fromMs, long toMs, Listener listener) {
        long first = firstFrom(fromMs);
        long end = firstFrom(toMs);
        if (first < end) {
            sums.subMap(first, end)
                    .forEach((number, namespaces) -> namespaces.forEach((namespace, causes) -> causes.forEach(
                            (cause, tally) -> listener.sum(number * stepMs(), namespace, cause, tally))));
        }
    }
}
