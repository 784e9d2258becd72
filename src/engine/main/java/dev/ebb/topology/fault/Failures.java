package dev.ebb.topology.fault;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the causes of failures, kept beyond the end of the task that failed, so that the next task of the partition
 * on this instance sets such a cause aside instead of failing again. In memory only; another instance fails once
 * itself. A failure is forgotten some minutes after it was asked for, since the setting aside has been committed by
 * then, or after an hour, since the partition may have been repaired elsewhere. Thread-safe.
 */
public final class Failures {

    /** Largest number of failures that are remembered, the newest ones; each has cost a restore. */
    private static final int MOST = 1000;

    /** Time for which a failure is remembered until it is asked for, much longer than a restore takes. */
    static final Duration KEPT_UNUSED = Duration.ofHours(1);

    private final LongSupplier nanoClock;
    private final Map<Key, Failure> failures = new LinkedHashMap<>();

    public Failures() {
        this(System::nanoTime);
    }

    Failures(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    private record Key(int partition, String what) {}

    /** @param usedNanos time at which the failure was last asked for; null if it never was */
    private record Failure(
            String reason, long sinceNanos, @Nullable Long usedNanos) {

        boolean isOver(long nowNanos) {
            return usedNanos == null
                    ? nowNanos - sinceNanos > KEPT_UNUSED.toNanos()
                    : nowNanos - usedNanos > FailedRecords.KEPT.toNanos();
        }
    }

    /** Notes that work on something of that partition has failed when half of its writes were done. */
    public synchronized void remember(int partition, String what, String reason) {
        forgetOld();
        failures.put(new Key(partition, what), new Failure(reason, nanoClock.getAsLong(), null));
        if (failures.size() > MOST) {
            failures.remove(failures.keySet().iterator().next());
        }
    }

    /** Returns the reason why work on that has failed in that partition; null if it has not. */
    public synchronized @Nullable String get(int partition, String what) {
        if (failures.isEmpty()) {
            return null;
        }
        forgetOld();
        Key key = new Key(partition, what);
        Failure failure = failures.computeIfPresent(
                key, (same, known) -> new Failure(known.reason(), known.sinceNanos(), nanoClock.getAsLong()));
        return failure == null ? null : failure.reason();
    }

    /** Returns the streams and pieces of work that have failed in that partition, with the reasons. */
    synchronized Map<String, String> of(int partition) {
        forgetOld();
        long nowNanos = nanoClock.getAsLong();
        Map<String, String> found = new LinkedHashMap<>();
        failures.replaceAll((key, failure) -> {
            if (key.partition() != partition) {
                return failure;
            }
            found.put(key.what(), failure.reason());
            return new Failure(failure.reason(), failure.sinceNanos(), nowNanos);
        });
        return found;
    }

    /** Forgets a failure whose cause has been set aside for good, or is gone. */
    public synchronized void forget(int partition, String what) {
        failures.remove(new Key(partition, what));
    }

    private void forgetOld() {
        long nowNanos = nanoClock.getAsLong();
        failures.values().removeIf(failure -> failure.isOver(nowNanos));
    }
}
