package dev.ebb.store.state;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.state.SweepGroup.Rhythm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Determines which streams of a partition have to be swept, and when. Streams whose policies ask for the same
 * interval and window form a group with its own clock. If nothing is due, only the top of each group's heap is looked
 * at. Lives in memory only. Not thread-safe.
 */
public final class SweepSchedule {

    /** The most streams that are brought into memory for one round of a sweep. */
    private static final int MOST_AWAKE = 4096;

    /** The number of streams that a sweep may take out at once however little room there is: a long one must not block it. */
    private static final int LEAST_AWAKE = 16;

    private static final int WOKEN_AT_ONCE = 64;

    /** The time after which a stream that must wait is looked at again if it is not in memory, in milliseconds. */
    private static final long RETRY_MS = 60_000;

    private final OptionalLong intervalForAllMs;
    private final Predicate<StreamState> mustWait;
    private final Map<Rhythm, SweepGroup> groups = new HashMap<>();
    private int taken;
    private @Nullable StreamTable streams;

    /** The time of the last look for streams whose time has come, epoch milliseconds. */
    private long lookedAtMs;

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

    /** Follows the streams that come into memory and leave it. */
    void follow(StreamTable table) {
        streams = table;
    }

    /** Takes in changes of a stream: its first events, its size, its policy. */
    public void touch(StreamState stream) {
        if (stream.isGone() || stream.isEmpty() || !mayBeSwept(stream)) {
            forget(stream);
            return;
        }
        if (streams != null) {
            streams.keep(stream);
        }
        enter(stream, groupOf(stream));
    }

    private void enter(StreamState stream, SweepGroup group) {
        leaveOtherQueues(stream, group);
        if (stream.policy().isEnforced()) {
            if (!stream.heapPlace().isTaken) {
                group.heap().put(stream.heapPlace(), stream.firstDueMs());
                enqueue(stream, group);
            }
        } else {
            group.warn(true);
            stream.heapPlace().leave();
            group.overCap().remove(stream);
        }
    }

    /**
     * Forgets a stream that leaves memory.
     *
     * @return the time at which to look at it again, epoch milliseconds; {@link RetentionDecider#NEVER}: when it changes
     */
    long leave(StreamState stream) {
        forget(stream);
        long workMs = stream.firstWorkMs();
        if (workMs == RetentionDecider.NEVER || stream.isEmpty() || stream.quarantine() != null) {
            return RetentionDecider.NEVER;
        }
        if (!mayBeSwept(stream)) {
            return Math.max(workMs, lookedAtMs + RETRY_MS);
        }
        return workMs >= lookedAtMs ? workMs : Math.max(workMs, groupOf(stream).nextSweepMs(lookedAtMs));
    }

    /**
     * Brings the streams whose time has come into memory, as many as a sweep takes at once.
     *
     * @param mayTurnBack false while a sweep is under way, which reads each wake-up once
     * @return true if further ones wait, for which there is no room, or for which the budget is spent
     */
    public boolean wake(long nowMs, boolean mayTurnBack, SweepBudget budget) {
        lookedAtMs = nowMs;
        StreamTable known = streams;
        if (known == null) {
            return false;
        }
        int most = Math.min(MOST_AWAKE, known.roomForAwake());
        boolean isBack = !mayTurnBack;
        while (known.nextWakeMs() < nowMs || (!isBack && known.passedWakeMs() < nowMs)) {
            if (known.nextWakeMs() >= nowMs) {
                known.turnBack();
                isBack = true;
            }
            if (budget.isSpent() || dueNow(nowMs, most) >= most) {
                return true;
            }
            for (int sid : known.readAwake(nowMs - 1, Math.min(most, WOKEN_AT_ONCE))) {
                known.awaken(sid, nowMs);
            }
            budget.spendStep();
        }
        return false;
    }

    /** Returns true if a sweep at {@code pointMs} has wake-ups to read. */
    public boolean isAnyToWake(long pointMs) {
        return streams != null && streams.nextWakeMs() < pointMs;
    }

    /** Has wake-ups before {@code pointMs} read again that were passed; returns false if there are none. */
    public boolean turnBack(long pointMs) {
        if (streams == null || streams.passedWakeMs() >= pointMs) {
            return false;
        }
        streams.turnBack();
        return true;
    }

    /**
     * Reads further wake-ups and takes out the streams that wait for the sweep, as far as there is room. Each is taken
     * out as soon as it is in memory, so that the next one cannot drive it away before its turn.
     */
    public List<StreamState> takeAwake(Collection<SweepGroup> swept, long pointMs) {
        List<StreamState> awake = new ArrayList<>();
        StreamTable known = streams;
        if (known == null) {
            return awake;
        }
        int room = Math.max(LEAST_AWAKE, Math.min(MOST_AWAKE, known.roomForAwake())) - taken;
        if (room > 0) {
            for (int sid : known.readAwake(pointMs - 1, Math.min(room, WOKEN_AT_ONCE))) {
                StreamState stream = known.awaken(sid, pointMs);
                if (stream != null && waitsFor(swept, stream, pointMs) && take(stream)) {
                    groupOf(stream).overCap().remove(stream);
                    awake.add(stream);
                }
            }
        }
        return awake;
    }

    private boolean waitsFor(Collection<SweepGroup> swept, StreamState stream, long pointMs) {
        return mayBeSwept(stream)
                && stream.policy().isEnforced()
                && swept.contains(groupOf(stream))
                && (RetentionDecider.isPast(stream.firstDueMs(), pointMs) || mayCapsTake(stream, pointMs));
    }

    /** Returns the number of streams that the next sweep finds in memory, as far as the limit. */
    private int dueNow(long nowMs, int limit) {
        long due = 0;
        for (SweepGroup group : groups.values()) {
            if (due < limit && group.isDue(nowMs)) {
                due += group.awake(nowMs, limit);
            }
        }
        return (int) Math.min(due, limit);
    }

    private static void enqueue(StreamState stream, SweepGroup group) {
        if (stream.isOverCap() && stream.capsBlockedUntilMs() != RetentionDecider.NEVER) {
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
        for (SweepGroup group : groups.values()) {
            group.overCap().remove(stream);
        }
    }

    /**
     * Takes out the next stream of the group with something due at {@code nowMs}; null if there is none. Whatever
     * arrives for it, the stream stays out until it is given back, so a sweep knows from its beginning to which streams
     * it goes.
     */
    public @Nullable StreamState takeDue(SweepGroup group, long nowMs) {
        StreamState stream = group.nextDue(nowMs);
        if (stream != null) {
            group.overCap().remove(stream);
            take(stream);
        }
        return stream;
    }

    /** Takes out a stream that is over a cap; returns false if that has been done already. */
    public boolean take(StreamState stream) {
        HeapPlace<StreamState> place = stream.heapPlace();
        if (place.isTaken) {
            return false;
        }
        place.leave();
        place.isTaken = true;
        taken++;
        return true;
    }

    /** Gives back a stream that was taken out, at its present due time. */
    public void giveBack(StreamState stream) {
        stream.heapPlace().isTaken = false;
        taken--;
        touch(stream);
    }

    /** Returns true if a sweep at {@code nowMs} may take events of the stream because of its caps. */
    public boolean mayCapsTake(StreamState stream, long nowMs) {
        return stream.isOverCap() && stream.capsBlockedUntilMs() <= nowMs;
    }

    /**
     * Returns true if streams wait for the sweep after one that is under way: they have something due by now, their
     * interval has passed, and that sweep does not come to them. A stream that is not in memory waits from its wake-up on.
     *
     * @param swept the groups of the sweep under way
     * @param startedMs its start, epoch milliseconds
     */
    public boolean isOvertaken(List<SweepGroup> swept, long startedMs, long nowMs) {
        boolean isAnyAsleep = streams != null && Math.min(streams.nextWakeMs(), streams.passedWakeMs()) < nowMs;
        for (SweepGroup group : groups.values()) {
            boolean isDue = swept.contains(group) ? group.isDueAgain(startedMs, nowMs) : group.isDue(nowMs);
            if (isDue && (isAnyAsleep || group.hasWork(nowMs))) {
                return true;
            }
        }
        return false;
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
        long next = taken > 0 ? 0 : Long.MAX_VALUE;
        for (SweepGroup group : groups.values()) {
            next = Math.min(next, group.nextWorkMs());
        }
        return streams == null ? next : Math.min(next, Math.min(streams.nextWakeMs(), streams.passedWakeMs()));
    }

    /** Returns the number of streams with something due or over a cap; stops counting deadlines at the limit. */
    public long backlog(long nowMs, int limit) {
        long backlog = taken;
        for (SweepGroup group : groups.values()) {
            backlog += group.backlog(nowMs, limit);
        }
        return streams == null || backlog >= limit
                ? backlog
                : backlog + streams.toWake(nowMs - 1, (int) (limit - backlog));
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

    /** Returns all groups, in no particular order. */
    public Collection<SweepGroup> groups() {
        return groups.values();
    }

    /** Returns the group of the stream; most streams have the policy of the previous one. */
    public SweepGroup groupOf(StreamState stream) {
        return groupOf(stream.policy());
    }

    /** Returns the group of the streams with this policy, which begins its clock if none of them is in memory yet. */
    @SuppressWarnings("ReferenceEquality")
    public SweepGroup groupOf(EffectivePolicy policy) {
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
                }
            }
        }
    }
}
