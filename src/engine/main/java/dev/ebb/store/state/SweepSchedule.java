package dev.ebb.store.state;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.state.SweepGroup.Rhythm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Determines which streams of a partition have to be swept, and when. Streams whose policies ask for the same
 * interval and window form a group with its own clock. If nothing is due, only the top of each group's heap is looked
 * at. Lives in memory only. Not thread-safe.
 */
public final class SweepSchedule {

    private final OptionalLong intervalForAllMs;
    private final Predicate<StreamState> mustWait;
    private final Map<Rhythm, SweepGroup> groups = new HashMap<>();
    private final Set<StreamState> held = new HashSet<>();
    private @Nullable EffectivePolicy lastPolicy;
    private @Nullable SweepGroup lastGroup;

    /**
     * @param intervalForAllMs the interval that replaces those of all policies, in milliseconds; empty to follow the
     *     policies
     * @param mustWait selects streams that must not be swept for the moment
     */
    public SweepSchedule(OptionalLong intervalForAllMs, Predicate<StreamState> mustWait) {
        this.intervalForAllMs = intervalForAllMs;
        this.mustWait = mustWait;
    }

    /** Takes in changes of a stream: its first events, its size, its policy. */
    public void touch(StreamState stream) {
        if (stream.isGone() || stream.isEmpty() || !mayBeSwept(stream)) {
            forget(stream);
            if (stream.isHeld() && !stream.isEmpty() && !stream.isGone()) {
                held.add(stream);
            }
            return;
        }
        if (!held.isEmpty()) {
            held.remove(stream);
        }
        enter(stream, groupOf(stream));
    }

    private void enter(StreamState stream, SweepGroup group) {
        leaveOtherQueues(stream, group);
        if (stream.policy().isEnforced()) {
            group.warnedStreams().remove(stream);
            group.heap().put(stream.heapPlace(), stream.firstDueMs());
            enqueue(stream, group);
        } else if (group.warnedStreams().add(stream)) {
            stream.heapPlace().leave();
            group.overCap().remove(stream);
        }
    }

    private static void enqueue(StreamState stream, SweepGroup group) {
        if (stream.isOverCap() && stream.sweepMemory().capsBlockedUntilMs() != RetentionDecider.NEVER) {
            group.queueOverCap(stream);
        } else {
            group.overCap().remove(stream);
        }
    }

    /** Returns true if only the policy of the stream can keep sweeps from it. */
    public boolean mayBeSwept(StreamState stream) {
        return !stream.isMoving() && !stream.isHeld() && !mustWait.test(stream);
    }

    /** Notes that the stream has gone or must wait. */
    public void forget(StreamState stream) {
        stream.heapPlace().leave();
        held.remove(stream);
        for (SweepGroup group : groups.values()) {
            group.overCap().remove(stream);
            group.warnedStreams().remove(stream);
        }
    }

    /** Returns the groups whose interval has passed; a new group is due at once. */
    public List<SweepGroup> due(long nowMs) {
        List<SweepGroup> due = new ArrayList<>();
        for (SweepGroup group : groups.values()) {
            if (group.isDue(nowMs)) {
                due.add(group);
            }
        }
        return due;
    }

    /**
     * Ends a sweep without findings in each group whose interval has passed; returns true if there was such a group.
     */
    public boolean passOver(long nowMs) {
        boolean isDue = false;
        for (SweepGroup group : groups.values()) {
            if (group.isDue(nowMs)) {
                group.swept(nowMs);
                isDue = true;
            }
        }
        return isDue;
    }

    /**
     * Returns a time before which there is nothing to look at unless a stream is touched, epoch milliseconds; {@link
     * Long#MAX_VALUE} if there never is.
     */
    public long nextWorkMs() {
        long next = Long.MAX_VALUE;
        for (SweepGroup group : groups.values()) {
            next = Math.min(next, group.nextWorkMs());
        }
        return next;
    }

    /** Returns the number of streams with something due or over a cap; stops counting deadlines at the limit. */
    public long backlog(long nowMs, int limit) {
        long backlog = 0;
        for (SweepGroup group : groups.values()) {
            backlog += group.backlog(nowMs, limit);
        }
        return backlog;
    }

    /**
     * Returns the time of the next sweep of any group, its window considered, epoch milliseconds; -1 if there are no
     * groups.
     */
    public long nextSweepMs(long nowMs) {
        long next = Long.MAX_VALUE;
        for (SweepGroup group : groups.values()) {
            next = Math.min(next, group.nextSweepMs(nowMs));
        }
        return groups.isEmpty() ? -1 : next;
    }

    /** Returns the number of events in streams that a hold keeps from sweeps. */
    public long heldEvents() {
        return held.stream().mapToLong(StreamState::totalEvents).sum();
    }

    /** Returns all groups, in no particular order. */
    public Collection<SweepGroup> groups() {
        return groups.values();
    }

    /** Most streams have the policy of the previous one. */
    @SuppressWarnings("ReferenceEquality")
    private SweepGroup groupOf(StreamState stream) {
        EffectivePolicy policy = stream.policy();
        SweepGroup group = lastGroup;
        if (group == null || policy != lastPolicy) {
            long intervalMs =
                    intervalForAllMs.orElse(policy.get(PolicyField.INTERVAL).value());
            group = groups.computeIfAbsent(
                    new Rhythm(intervalMs, policy.get(PolicyField.WINDOW).value()), SweepGroup::new);
            lastGroup = group;
            lastPolicy = policy;
        }
        return group;
    }

    private void leaveOtherQueues(StreamState stream, SweepGroup own) {
        if (groups.size() > 1) {
            for (SweepGroup group : groups.values()) {
                if (group != own) {
                    group.overCap().remove(stream);
                    group.warnedStreams().remove(stream);
                }
            }
        }
    }
}
