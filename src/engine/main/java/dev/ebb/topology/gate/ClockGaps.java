package dev.ebb.topology.gate;

import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.time.Durations;
import dev.ebb.topology.policy.ConfirmedClock;
import dev.ebb.topology.wire.ErrandBodies.ClockAhead;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Partitions that sweep nothing, since their clock is far ahead of their state and a person has to confirm the time
 * (T-14). They repeat their reports, so only the newest version is kept over a restart: reports that come later must
 * have a later one, whatever the clock says by then. One confirmation is for all partitions that were shown to its
 * author; those that report later ask again. Not thread-safe.
 */
final class ClockGaps {

    /** Time for which a report counts; partitions repeat theirs more often. */
    private static final long FRESH_MS = 30_000;

    /** Time by which a report may differ from the confirmed time, which its task is about to see. */
    private static final long NEAR_MS = 3_600_000;

    private final Map<Integer, Report> reports = new TreeMap<>();
    private final Supplier<ConfirmedClock> seen;
    private final Version newest;
    private ConfirmedClock confirmed = ConfirmedClock.NONE;

    /**
     * @param seen supplies the confirmed times that this instance has seen
     * @param newest the newest version
     */
    ClockGaps(Supplier<ConfirmedClock> seen, Version newest) {
        this.seen = seen;
        this.newest = newest;
    }

    /** The newest version of a report, which is saved. */
    interface Version {

        /** Returns the saved version; 0 if there is none. */
        long clockVersion();

        void saveClockVersion(long version);
    }

    /**
     * The last report of a partition, and the time of its first one.
     *
     * @param version the version since which the change that people see has this count in it
     */
    private record Report(ClockAhead gap, long version, long firstMs, long lastMs) {

        /** Returns true if a person who was shown the other report knows this one. */
        boolean tellsAsMuchAs(ClockAhead other) {
            return gap.seenMs() == other.seenMs()
                    && gap.wouldDelete() == other.wouldDelete()
                    && gap.stored() == other.stored();
        }
    }

    /** Takes the report of a partition. */
    void report(int partition, ClockAhead gap, long nowMs) {
        long confirmedMs = confirmed.at(partition);
        if (confirmedMs >= 0 && Math.abs(gap.nowMs() - confirmedMs) < NEAR_MS) {
            return;
        }
        Report former = reports.get(partition);
        if (former != null && former.tellsAsMuchAs(gap)) {
            reports.put(partition, new Report(gap, former.version(), former.firstMs(), nowMs));
        } else {
            long firstMs = former == null ? nowMs : former.firstMs();
            reports.put(partition, new Report(gap, nextVersion(nowMs), firstMs, nowMs));
        }
    }

    private long nextVersion(long nowMs) {
        long version = Math.max(nowMs, newest.clockVersion() + 1);
        newest.saveClockVersion(version);
        return version;
    }

    /** Forgets partitions that report no longer. */
    void advance(long nowMs) {
        reports.values().removeIf(report -> Math.abs(nowMs - report.lastMs()) > FRESH_MS);
    }

    /**
     * Returns the gap as a change that waits for a confirmation; empty if there is none. Each report of another partition
     * or count gives it another version.
     */
    List<WaitingPolicy> waiting() {
        return waiting(reports.values());
    }

    private static List<WaitingPolicy> waiting(Collection<Report> reports) {
        if (reports.isEmpty()) {
            return List.of();
        }
        long seenMs = least(reports, report -> report.gap().seenMs());
        long nowMs = least(reports, report -> report.gap().nowMs());
        BrakeFinding sum = reports.stream()
                .map(report -> new BrakeFinding(
                        report.gap().wouldDelete(), false, report.gap().stored()))
                .reduce(BrakeFinding.NOTHING, BrakeFinding::plus);
        long version = reports.stream().mapToLong(Report::version).max().orElseThrow();
        String why = "the clock is " + Durations.about(Math.max(0, nowMs - seenMs)) + " ahead of the newest time that "
                + reports.size() + (reports.size() == 1 ? " partition has seen, " : " partitions have seen, ")
                + Instant.ofEpochMilli(seenMs) + "; the next sweep " + sum
                + ", deleted events that could no longer be brought back included; confirm the clock if it is right";
        return List.of(new WaitingPolicy(PolicyKey.CLOCK, version, "", least(reports, Report::firstMs), why, sum));
    }

    private static long least(Collection<Report> reports, ToLongFunction<Report> value) {
        return reports.stream().mapToLong(value).min().orElseThrow();
    }

    /**
     * Confirms the time of each partition that was shown under that version.
     *
     * @param told the number of deletes that the author knows of
     * @return all confirmed times; empty if nothing of that version waits, or more would go than was told
     */
    Optional<ConfirmedClock> confirm(long version, long told) {
        Map<Integer, Report> shown = new HashMap<>(reports);
        shown.values().removeIf(report -> report.version() > version);
        boolean isTold = version <= newest.clockVersion()
                && waiting(shown.values()).stream()
                        .map(WaitingPolicy::finding)
                        .anyMatch(finding -> finding != null && finding.isWithin(told));
        if (!isTold) {
            return Optional.empty();
        }
        Map<Integer, Long> times = new HashMap<>();
        shown.forEach((partition, report) -> times.put(partition, report.gap().nowMs()));
        confirmed = seen.get().with(confirmed).with(new ConfirmedClock(times));
        reports.keySet().removeAll(shown.keySet());
        return Optional.of(confirmed);
    }
}
