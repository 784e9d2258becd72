package dev.ebb.runtime.watch;

import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the sweeps of each partition, for one line of the log a minute at most (O-28): a partition with much traffic is
 * swept each second. What came since the last line stands in the next one. Thread-safe.
 */
final class SweptLately {

    private static final long EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanos;
    private final Map<Integer, Partition> partitions = new HashMap<>();

    /** @param nanos nanoseconds of a monotonic clock */
    SweptLately(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Sweeps of a partition since its last line.
     *
     * @param deleted number of deleted events by cause, for people; empty if there are none
     * @param wouldDelete number of events that mode warn kept, likewise
     */
    record Sum(long sweeps, String deleted, String wouldDelete, long longestMs) {}

    private static final class Partition {
        private @Nullable Long saidNanos;
        private long sweeps;
        private long longestMs;
        private final Map<String, Long> deleted = new TreeMap<>();
        private final Map<String, Long> wouldDelete = new TreeMap<>();
    }

    /** Adds a sweep; returns the sum that is to be said now, or null if the last line is too young. */
    synchronized @Nullable Sum add(SweepReport report) {
        Partition partition = partitions.computeIfAbsent(report.partition(), key -> new Partition());
        partition.sweeps++;
        partition.longestMs = Math.max(partition.longestMs, report.completedMs() - report.startedMs());
        add(partition.deleted, report.deleted());
        add(partition.wouldDelete, report.wouldDelete());
        long now = nanos.getAsLong();
        Long said = partition.saidNanos;
        if (said != null && now - said < EVERY_NANOS) {
            return null;
        }
        Sum sum = new Sum(partition.sweeps, text(partition.deleted), text(partition.wouldDelete), partition.longestMs);
        Partition next = new Partition();
        next.saidNanos = now;
        partitions.put(report.partition(), next);
        return sum;
    }

    private static void add(Map<String, Long> sums, Map<String, Tally> more) {
        more.forEach((cause, tally) -> sums.merge(cause, tally.events(), Long::sum));
    }

    private static String text(Map<String, Long> sums) {
        return sums.entrySet().stream()
                .map(cause -> cause.getKey() + " " + cause.getValue())
                .collect(Collectors.joining(", "));
    }
}
