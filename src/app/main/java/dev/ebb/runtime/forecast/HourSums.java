package dev.ebb.runtime.forecast;

import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Deletes by stretch of time, namespace and cause. The number of sums is bounded: at the limit, the oldest stretches
 * become longer, and the last days keep their short ones. Not thread-safe.
 */
final class HourSums {

    static final long FIRST_STEP_MS = 60_000;
    private static final long[] STEPS = {FIRST_STEP_MS, 10 * 60_000L, 3_600_000L, 24 * 3_600_000L};
    private static final int LONGEST = STEPS.length - 1;

    private final int most;

    /** For each length of a stretch, the sums by the beginning of the stretch, namespace and cause. */
    private final List<TreeMap<Long, Map<String, Map<String, Tally>>>> sums =
            List.of(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

    /** For each length, the number of sums. */
    private final int[] counts = new int[STEPS.length];

    /** For each length, the time before which stretches are longer; none is higher than the one before it. */
    private final long[] sinceMs = new long[STEPS.length];

    private int count;

    /** @param most the maximum number of sums to keep */
    HourSums(int most) {
        this.most = most;
    }

    void add(long atMs, String namespace, String cause, long events, long bytes) {
        put(stepAt(atMs), atMs, namespace, cause, new Tally(events, bytes));
        while (count > most && widen()) {
            // Ends once there are few enough sums, or all stretches have the greatest length.
        }
    }

    /** Returns true if there is no room for more namespaces, however long the stretches are. */
    boolean isFull() {
        return count > most;
    }

    /** Returns the length of the stretch at that time, in milliseconds. */
    long stepMs(long timeMs) {
        return STEPS[stepAt(timeMs)];
    }

    private int stepAt(long timeMs) {
        int step = 0;
        while (step < LONGEST && timeMs < sinceMs[step]) {
            step++;
        }
        return step;
    }

    private void put(int step, long atMs, String namespace, String cause, Tally tally) {
        Map<String, Tally> causes = sums.get(step)
                .computeIfAbsent(atMs - atMs % STEPS[step], key -> new HashMap<>())
                .computeIfAbsent(namespace, key -> new HashMap<>());
        if (!causes.containsKey(cause)) {
            counts[step]++;
            count++;
        }
        causes.merge(cause, tally, Tally::plus);
    }

    /** Makes the older half of the stretches of one length longer; returns false if all have the greatest length. */
    private boolean widen() {
        int step = fullest();
        if (counts[step] == 0) {
            return false;
        }
        NavigableMap<Long, Map<String, Map<String, Tally>>> all = sums.get(step);
        long middle = all.firstKey() + (all.lastKey() - all.firstKey()) / 2;
        long wider = STEPS[step + 1];
        long since = middle - middle % wider + wider;
        sinceMs[step] = Math.max(sinceMs[step], since);
        NavigableMap<Long, Map<String, Map<String, Tally>>> older = all.headMap(since, false);
        Map<Long, Map<String, Map<String, Tally>>> moved = new TreeMap<>(older);
        older.clear();
        moved.forEach((atMs, namespaces) -> namespaces.forEach((namespace, causes) -> {
            counts[step] -= causes.size();
            count -= causes.size();
            causes.forEach((cause, tally) -> put(step + 1, atMs, namespace, cause, tally));
        }));
        return true;
    }

    /** Returns the length with the most sums, apart from the greatest length. */
    private int fullest() {
        int fullest = 0;
        for (int step = 1; step < LONGEST; step++) {
            fullest = counts[step] > counts[fullest] ? step : fullest;
        }
        return fullest;
    }

    /** Receives one sum. */
    @FunctionalInterface
    interface Listener {

        /** @param atMs the beginning of the stretch */
        void sum(long atMs, String namespace, String cause, Tally tally);
    }

    /** Reports the sums of all stretches that begin in that time. */
    void tell(long fromMs, long toMs, Listener listener) {
        if (fromMs < toMs) {
            sums.forEach(byTime -> byTime.subMap(fromMs, toMs)
                    .forEach((atMs, namespaces) -> namespaces.forEach((namespace, causes) ->
                            causes.forEach((cause, tally) -> listener.sum(atMs, namespace, cause, tally)))));
        }
    }

    /**
     * Returns the time from which each bucket has exactly its own deletes; null if all buckets do. Before that time,
     * the end of a bucket lies within a stretch, whose sum counts where the stretch begins. Minutes are precise enough.
     *
     * @param bounds the times between the buckets, ascending
     */
    @Nullable
    Long preciseFrom(List<Long> bounds) {
        Long from = null;
        for (int i = 0; i < bounds.size(); i++) {
            long bound = bounds.get(i);
            long stepMs = stepMs(bound);
            if (stepMs > FIRST_STEP_MS && bound % stepMs != 0) {
                from = bounds.get(Math.min(i + 1, bounds.size() - 1));
            }
        }
        return from;
    }
}
