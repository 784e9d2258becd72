package dev.ebb.runtime.watch;

import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the sweeps of each partition, for one line of the log a minute at most (O-28): a partition with much traffic is
 * swept each second. What comes after a line stands in the next one, a minute later or when the partition leaves, also if
 * nothing more is swept. Thread-safe.
 */
final class SweptLately {

    private static final long EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanos;
    private final Map<Integer, Partition> partitions = new TreeMap<>();

    /** @param nanos nanoseconds of a monotonic clock */
    SweptLately(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Sweeps of a partition since its last line.
     *
     * @param lastSweepId identifies the last of them
     * @param sweeps their number, at least 1
     * @param stoppedEarly number of sweeps that ended before they were done
     * @param deleted number of deleted events by cause, for people; empty if there are none
     * @param wouldDelete number of events that mode warn kept, likewise
     */
    record Sum(
            int partition,
            String lastSweepId,
            long sweeps,
            long stoppedEarly,
            String deleted,
            String wouldDelete,
            long longestMs) {}

    private static final class Partition {
        private @Nullable Long saidNanos;
        private String lastSweepId = "";
        private long sweeps;
        private long stoppedEarly;
        private long longestMs;
        private final Map<String, Long> deleted = new HashMap<>();
        private final Map<String, Long> wouldDelete = new HashMap<>();
    }

    /** Adds a sweep; returns the sum that is to be said now, or null if the last line is too young. */
    synchronized @Nullable Sum add(SweepReport report) {
        Partition partition = partitions.computeIfAbsent(report.partition(), key -> new Partition());
        partition.lastSweepId = report.sweepId();
        partition.sweeps++;
        partition.stoppedEarly += report.isStoppedEarly() ? 1 : 0;
        partition.longestMs = Math.max(partition.longestMs, report.completedMs() - report.startedMs());
        add(partition.deleted, report.deleted());
        add(partition.wouldDelete, report.wouldDelete());
        return sayIfDue(report.partition());
    }

    /** Returns the sums that are to be said now although no sweep has come: their last line is a minute old. */
    synchronized List<Sum> due() {
        return List.copyOf(partitions.keySet()).stream()
                .map(this::sayIfDue)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Forgets a partition that has left; returns what was not said of it, or null if there is nothing. */
    synchronized @Nullable Sum leave(int number) {
        Partition partition = partitions.remove(number);
        return partition == null ? null : sum(number, partition);
    }

    /** Forgets all partitions; returns what was not said of them. */
    synchronized List<Sum> leave() {
        return List.copyOf(partitions.keySet()).stream()
                .map(this::leave)
                .filter(Objects::nonNull)
                .toList();
    }

    private @Nullable Sum sayIfDue(int number) {
        Partition partition = partitions.get(number);
        if (partition == null) {
            return null;
        }
        long now = nanos.getAsLong();
        Long said = partition.saidNanos;
        Sum sum = said != null && now - said < EVERY_NANOS ? null : sum(number, partition);
        if (sum != null) {
            Partition next = new Partition();
            next.saidNanos = now;
            partitions.put(number, next);
        }
        return sum;
    }

    private static @Nullable Sum sum(int number, Partition partition) {
        return partition.sweeps == 0
                ? null
                : new Sum(
                        number,
                        partition.lastSweepId,
                        partition.sweeps,
                        partition.stoppedEarly,
                        text(partition.deleted),
                        text(partition.wouldDelete),
                        partition.longestMs);
    }

    private static void add(Map<String, Long> sums, Map<String, Tally> more) {
        more.forEach((cause, tally) -> sums.merge(cause, tally.events(), Long::sum));
    }

    private static String text(Map<String, Long> sums) {
        return new TreeMap<>(sums)
                .entrySet().stream()
                        .map(cause -> cause.getKey() + " " + cause.getValue())
                        .collect(Collectors.joining(", "));
    }
}
