package dev.ebb.topology.gate;

import dev.ebb.domain.policy.Durations;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.topology.wire.ErrandBodies.ClockAhead;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Partitions that sweep nothing, since their clock is far ahead of their state and a person has to confirm the time
 * (T-14). They repeat their reports, so nothing is kept here over a restart. All of them are confirmed together, as
 * they share the time of the broker. Not thread-safe.
 */
final class ClockGaps {

    /** Time for which a report counts; partitions repeat theirs more often. */
    private static final long FRESH_MS = 30_000;

    /** Time by which a report may differ from the confirmed time, which its task is about to see. */
    private static final long NEAR_MS = 3_600_000;

    private final Map<Integer, Report> reports = new TreeMap<>();
    private @Nullable Long confirmedMs;

    /** The last report of a partition, and the time of its first one. */
    private record Report(ClockAhead gap, long firstMs, long lastMs) {}

    /** Takes the report of a partition. */
    void report(int partition, ClockAhead gap, long nowMs) {
        if (confirmedMs != null && Math.abs(gap.nowMs() - confirmedMs) < NEAR_MS) {
            return;
        }
        Report former = reports.get(partition);
        reports.put(partition, new Report(gap, former == null ? nowMs : former.firstMs(), nowMs));
    }

    /** Forgets partitions that report no longer. */
    void advance(long nowMs) {
        reports.values().removeIf(report -> Math.abs(nowMs - report.lastMs()) > FRESH_MS);
    }

    /**
     * Returns the gap as a change that waits for a confirmation; empty if there is none. Its version is the newest time
     * that all these partitions have seen, so that a confirmation is for this gap alone.
     */
    List<WaitingPolicy> waiting() {
        if (reports.isEmpty()) {
            return List.of();
        }
        long seenMs = seenMs();
        long nowMs = reports.values().stream()
                .mapToLong(report -> report.gap().nowMs())
                .min()
                .orElseThrow();
        BrakeFinding sum = reports.values().stream()
                .map(report -> new BrakeFinding(
                        report.gap().wouldDelete(), false, report.gap().stored()))
                .reduce(BrakeFinding.NOTHING, BrakeFinding::plus);
        long sinceMs =
                reports.values().stream().mapToLong(Report::firstMs).min().orElseThrow();
        String why = "the clock is " + Durations.format(Math.max(0, nowMs - seenMs)) + " ahead of the newest time that "
                + reports.size() + (reports.size() == 1 ? " partition has seen, " : " partitions have seen, ")
                + Instant.ofEpochMilli(seenMs) + "; the next sweep " + sum
                + ", deleted events that could no longer be brought back included; confirm the clock if it is right";
        return List.of(new WaitingPolicy(PolicyKey.CLOCK, seenMs, "", sinceMs, why, sum));
    }

    private long seenMs() {
        return reports.values().stream()
                .mapToLong(report -> report.gap().seenMs())
                .min()
                .orElseThrow();
    }

    /**
     * Returns the time that a confirmation is for; empty if nothing of that version waits, or more would go than its
     * author was told.
     */
    Optional<Long> confirm(long version, long told) {
        Optional<Long> time = waiting().stream()
                .filter(gap -> gap.version() == version
                        && gap.finding() != null
                        && gap.finding().isWithin(told))
                .findFirst()
                .map(gap -> reports.values().stream()
                        .mapToLong(report -> report.gap().nowMs())
                        .max()
                        .orElseThrow());
        time.ifPresent(confirmed -> {
            confirmedMs = confirmed;
            reports.clear();
        });
        return time;
    }
}
