package dev.ebb.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Which streams of a partition have to be swept, and when. Streams whose policies ask for the same interval form a
 * group with its own clock; with nothing due, all that is looked at is the top of each group's heap. Lives in memory
 * only. Not thread-safe.
 */
public final class SweepSchedule {

    private final OptionalLong intervalForAllMs;
    private final Predicate<StreamState> mustWait;
    private final Map<Long, SweepGroup> groups = new HashMap<>();

    /**
     * @param intervalForAllMs stands in place of the interval of every policy; empty if they decide
     * @param mustWait which streams must not be swept for the moment
     */
    public SweepSchedule(OptionalLong intervalForAllMs, Predicate<StreamState> mustWait) {
        this.intervalForAllMs = intervalForAllMs;
        this.mustWait = mustWait;
    }

    /** Takes in what has changed about a stream: where it begins, its size, its policy. */
    public void touch(StreamState stream) {
        SweepGroup group = groupOf(stream);
        if (stream.totalEvents() == 0 || stream.isMoving() || mustWait.test(stream)) {
            forget(stream);
            return;
        }
        group.heap().put(stream, stream.nextDueMs());
        leaveOtherQueues(stream, group);
        if (stream.isOverCap()) {
            group.enqueue(stream);
        } else {
            group.dequeue(stream);
        }
    }

    /** The stream has gone or must wait. */
    public void forget(StreamState stream) {
        if (stream.heap != null) {
            stream.heap.remove(stream);
        }
        groups.values().forEach(group -> group.dequeue(stream));
    }

    /** The groups whose interval has passed, with the first fire of a new group due at once. */
    public List<SweepGroup> due(long nowMs) {
        List<SweepGroup> due = new ArrayList<>();
        for (SweepGroup group : groups.values()) {
            if (group.isDue(nowMs)) {
                due.add(group);
            }
        }
        return due;
    }

    /** How many streams have something due or are over a cap; stops counting deadlines at the limit. */
    public long backlog(long nowMs, int limit) {
        return groups.values().stream()
                .mapToLong(group -> group.backlog(nowMs, limit))
                .sum();
    }

    /** When the next group fires, epoch milliseconds; empty if there is none. */
    public OptionalLong nextFireMs() {
        return groups.values().stream().mapToLong(SweepGroup::nextFireMs).min();
    }

    /** All groups, in no particular order. */
    public Collection<SweepGroup> groups() {
        return groups.values();
    }

    private SweepGroup groupOf(StreamState stream) {
        long intervalMs = intervalForAllMs.orElse(stream.policy().intervalMs().value());
        return groups.computeIfAbsent(intervalMs, SweepGroup::new);
    }

    private void leaveOtherQueues(StreamState stream, SweepGroup own) {
        if (groups.size() > 1) {
            groups.values().stream().filter(group -> group != own).forEach(group -> group.dequeue(stream));
        }
    }
}
