package dev.ebb.topology.sweep;

import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.retention.SweepPoint;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.domain.retention.SweepReport.Trigger;
import dev.ebb.store.EventStore;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepGroup;
import dev.ebb.store.state.SweepSchedule;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.parts.PartitionParts;
import dev.ebb.topology.removal.Outbox;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sweep of streams of {@code mode: warn}: finds in slices the events that sweeps would delete, and reports a result
 * that differs from the last report (M-16). It works on shadows of the streams, as a dry run does, and deletes nothing.
 * Not thread-safe.
 */
public final class WarnSweep {

    private final EventStore store;
    private final SweepSchedule schedule;
    private final StreamGuard guard;
    private final Outbox outbox;
    private final RetentionObserver observer;
    private final int partition;
    private final Map<SweepGroup, Map<RemovalCause, Tally>> reported = new HashMap<>();
    private @Nullable Run run;
    private long told;

    public WarnSweep(PartitionParts here) {
        this.store = here.store();
        this.schedule = here.schedule();
        this.guard = here.guard();
        this.outbox = here.outbox();
        this.observer = here.observer();
        this.partition = here.partition();
    }

    /** Returns true if a count has begun and is not done. */
    public boolean isRunning() {
        return run != null;
    }

    /** Forgets the count, which starts over under other policies. */
    public void stop() {
        if (run != null) {
            run.group.warnedAt(0, 0);
            run = null;
        }
    }

    /** Begins a count if one is due, and continues it as far as the budget goes. */
    public void slice(PolicySet policies, long nowMs, SweepBudget budget) {
        Run current = run == null ? begin(policies, nowMs) : run;
        run = current;
        if (current != null && current.count(nowMs, budget)) {
            run = null;
            end(current, nowMs);
        }
    }

    /** Reports how many events mode warn keeps in all groups, as far as their streams are still in that mode. */
    private void tell() {
        told = reported.entrySet().stream()
                .filter(entry -> entry.getKey().isAnyWarned())
                .flatMap(entry -> entry.getValue().values().stream())
                .mapToLong(Tally::events)
                .sum();
        observer.warned(partition, told);
    }

    private @Nullable Run begin(PolicySet policies, long nowMs) {
        for (SweepGroup group : schedule.groups()) {
            if (group.isWarnDue(nowMs)) {
                group.warnedAt(nowMs, 0);
                return new Run(group, new SweepPoint(nowMs, policies.version()));
            }
        }
        if (told > 0 && schedule.groups().stream().noneMatch(SweepGroup::isAnyWarned)) {
            tell();
        }
        return null;
    }

    private void end(Run ended, long nowMs) {
        ended.group.warnedAt(ended.point.nowMs(), Math.max(0, nowMs - ended.point.nowMs()));
        Map<RemovalCause, Tally> before = reported.put(ended.group, ended.found);
        tell();
        if (!ended.found.isEmpty() && !ended.found.equals(before)) {
            report(ended, nowMs);
        }
    }

    private void report(Run ended, long nowMs) {
        SweepReport report = new SweepReport(
                "warn-" + partition + "-" + ended.point.nowMs(),
                partition,
                Trigger.SCHEDULE,
                ended.point,
                ended.point.nowMs(),
                nowMs,
                ended.streams,
                ended.found,
                ended.protectedEvents,
                schedule.heldEvents(),
                PolicyMode.WARN,
                false);
        outbox.report(report);
        observer.swept(report);
    }

    /** Look at all streams of a group. */
    private final class Run {

        private final SweepGroup group;
        private final SweepPoint point;
        private final Deque<StreamState> left;
        private final Map<RemovalCause, Tally> found = new EnumMap<>(RemovalCause.class);
        private final RemovalListener counter = (stream, removed) -> found.merge(
                removed.cause(),
                new Tally(1, removed.event().sizeBytes()),
                (one, other) -> one.plus(other.events(), other.bytes()));
        private @Nullable StreamState current;
        private @Nullable StreamState shadow;
        private boolean isDueDone;
        private long foundBefore;
        private long streams;
        private long protectedEvents;

        Run(SweepGroup group, SweepPoint point) {
            this.group = group;
            this.point = point;
            this.left = new ArrayDeque<>(group.warned());
        }

        /** Returns true if all streams have been looked at; false if the budget ended the count. */
        boolean count(long nowMs, SweepBudget budget) {
            while (current != null || !left.isEmpty()) {
                if (budget.isSpent()) {
                    return false;
                }
                StreamState stream = current == null ? left.remove() : current;
                current = stream;
                if (!guard.run(stream, nowMs, () -> count(stream, budget))) {
                    return false;
                }
                current = null;
                shadow = null;
                budget.spendStep();
            }
            return true;
        }

        /** Returns true if nothing more of the stream is to be counted; false if the budget ended the count. */
        private boolean count(StreamState stream, SweepBudget budget) {
            StreamState known = shadow == null ? begin(stream) : shadow;
            shadow = known;
            return known == null || countShadow(known, budget);
        }

        /** Returns a shadow of the stream; null if the stream is gone, or there is nothing left to warn of. */
        private @Nullable StreamState begin(StreamState stream) {
            boolean isThere = store.stream(stream.stream()) == stream;
            isDueDone = false;
            foundBefore = events();
            return isThere
                            && schedule.mayBeSwept(stream)
                            && !stream.policy().isEnforced()
                            && stream.mayLose(point.nowMs())
                    ? stream.shadow()
                    : null;
        }

        private boolean countShadow(StreamState known, SweepBudget budget) {
            isDueDone = isDueDone || store.removeDue(known, point.nowMs(), budget, counter);
            if (!isDueDone || !store.removeOverCap(known, point.nowMs(), budget, counter)) {
                return false;
            }
            if (events() > foundBefore) {
                streams++;
                protectedEvents += known.protectedEvents();
            }
            return true;
        }

        private long events() {
            return found.values().stream().mapToLong(Tally::events).sum();
        }
    }
}
