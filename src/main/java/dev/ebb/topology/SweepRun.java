package dev.ebb.topology;

import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepPoint;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.domain.retention.SweepReport.Trigger;
import dev.ebb.store.StreamState;
import dev.ebb.store.SweepGroup;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One sweep while it runs: what it fixed at its start and what it has done so far. Not thread-safe. */
final class SweepRun {

    private final String sweepId;
    private final int partition;
    private final SweepPoint point;
    private final List<SweepGroup> groups;
    private final AuditTrail audit;
    private final Map<RemovalCause, Tally> deleted = new EnumMap<>(RemovalCause.class);
    private final Map<StreamState, Long> protectedByStream = new HashMap<>();

    SweepRun(String sweepId, int partition, SweepPoint point, List<SweepGroup> groups, AuditTrail audit) {
        this.sweepId = sweepId;
        this.partition = partition;
        this.point = point;
        this.groups = groups;
        this.audit = audit;
    }

    String sweepId() {
        return sweepId;
    }

    SweepPoint point() {
        return point;
    }

    List<SweepGroup> groups() {
        return groups;
    }

    AuditTrail audit() {
        return audit;
    }

    void count(StreamState stream, RemovalCause cause, long bytes) {
        deleted.merge(cause, new Tally(1, bytes), (one, other) -> one.plus(other.events(), other.bytes()));
        protectedByStream.computeIfAbsent(stream, StreamState::protectedEvents);
    }

    boolean hasFound() {
        return !deleted.isEmpty();
    }

    SweepReport report(long nowMs, boolean isStoppedEarly) {
        long protectedEvents =
                protectedByStream.values().stream().mapToLong(Long::longValue).sum();
        return new SweepReport(
                sweepId,
                partition,
                Trigger.SCHEDULE,
                point,
                point.nowMs(),
                nowMs,
                protectedByStream.size(),
                deleted,
                protectedEvents,
                isStoppedEarly);
    }
}
