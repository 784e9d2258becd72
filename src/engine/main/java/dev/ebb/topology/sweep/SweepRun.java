package dev.ebb.topology.sweep;

import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepPoint;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.domain.retention.SweepReport.Trigger;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepGroup;
import dev.ebb.topology.removal.Removals;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Running sweep: the values fixed at its start, and the work done so far. Not thread-safe. */
final class SweepRun {

    private final String sweepId;
    private final int partition;
    private final SweepPoint point;
    private final List<SweepGroup> groups;
    private final Removals removals;
    private final Deque<StreamState> overCap = new ArrayDeque<>();
    private final Map<RemovalCause, Tally> deleted = new EnumMap<>(RemovalCause.class);
    private final Map<StreamState, Long> protectedByStream = new HashMap<>();
    private int group;
    private boolean hasTakenOverCap;
    private boolean isCutOff;

    SweepRun(String sweepId, int partition, SweepPoint point, List<SweepGroup> groups, Removals removals) {
        this.sweepId = sweepId;
        this.partition = partition;
        this.point = point;
        this.groups = groups;
        this.removals = removals;
    }

    SweepPoint point() {
        return point;
    }

    List<SweepGroup> groups() {
        return groups;
    }

    Removals removals() {
        return removals;
    }

    /** Returns the group that is being swept; null if all are done. */
    @Nullable
    SweepGroup currentGroup() {
        return group < groups.size() ? groups.get(group) : null;
    }

    void finishGroup() {
        group++;
        hasTakenOverCap = false;
    }

    /**
     * Notes that the window of the current group has closed before the group was done. Returns its streams that have
     * not been looked at, so that the next group, whose window may be open, does not come to them.
     */
    List<StreamState> cutOff() {
        isCutOff = true;
        List<StreamState> left = List.copyOf(overCap);
        overCap.clear();
        return left;
    }

    boolean isCutOff() {
        return isCutOff;
    }

    /** Returns the streams of the current group that are over a cap and have not been looked at. */
    Deque<StreamState> overCap() {
        SweepGroup current = currentGroup();
        if (!hasTakenOverCap && current != null) {
            hasTakenOverCap = true;
            overCap.addAll(current.takeOverCap(point.nowMs()));
        }
        return overCap;
    }

    void count(StreamState stream, RemovalCause cause, long bytes) {
        deleted.merge(cause, new Tally(1, bytes), (one, other) -> one.plus(other.events(), other.bytes()));
        protectedByStream.computeIfAbsent(stream, StreamState::protectedEvents);
    }

    boolean hasFound() {
        return !deleted.isEmpty();
    }

    SweepReport report(long nowMs, long heldEvents, boolean isStoppedEarly) {
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
                heldEvents,
                PolicyMode.ENFORCE,
                isStoppedEarly);
    }
}
