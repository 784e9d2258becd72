package dev.ebb.topology.sweep;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.retention.SweepPoint;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.time.Durations;
import dev.ebb.store.EventStore;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepGroup;
import dev.ebb.store.state.SweepSchedule;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.parts.PartitionParts;
import dev.ebb.topology.removal.Outbox;
import dev.ebb.topology.removal.Removals;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Sweeper of one partition, in slices (O-1 to O-4). A sweep fixes its point at its start, goes around the streams that
 * have something due or are over a cap then, and ends with a report if it found something. When streams wait for the
 * next sweep, it ends as soon as each of its own has had its slice, and the next one goes on with those that are not
 * done. Not thread-safe.
 */
public final class Sweeper {

    private static final long EMPTY_INTERVAL_MS = 1000;

    private final EventStore store;
    private final SweepSchedule schedule;
    private final StreamGuard guard;
    private final Outbox outbox;
    private final RetentionObserver observer;
    private final int partition;
    private @Nullable SweepRun run;

    /** Sweep that has ended before its streams were done, which are still taken out; null if there are none. */
    private @Nullable SweepRun unfinished;

    private boolean isBehind;
    private @Nullable SweepReport lastReport;
    private long lastPointMs = -1;
    private long lastCompletedMs = -1;

    public Sweeper(PartitionParts here) {
        this.guard = here.guard();
        this.store = here.store();
        this.schedule = here.schedule();
        this.outbox = here.outbox();
        this.observer = here.observer();
        this.partition = here.partition();
    }

    /** Returns true if a sweep has begun and is not done. */
    public boolean isRunning() {
        return run != null;
    }

    /**
     * Brings streams whose time has come into memory; those of a running sweep come first.
     *
     * @return true if further ones wait
     */
    public boolean wake(long nowMs, SweepBudget budget) {
        boolean isBusy = run != null && schedule.isAnyToWake(run.point().nowMs());
        return isBusy || schedule.wake(nowMs, run == null, budget);
    }

    /** Begins a sweep if one is due, and continues it as far as the budget goes. */
    public void slice(PolicySet policies, long nowMs, SweepBudget budget) {
        isBehind = false;
        if (run != null
                && run.isRoundOver()
                && schedule.isOvertaken(run.groups(), run.point().nowMs(), nowMs)) {
            end(run, nowMs, true, sweptCompletely(run));
        }
        SweepRun current = run == null ? begin(policies, nowMs) : run;
        if (current == null) {
            return;
        }
        run = current;
        boolean isDone = sweep(current, nowMs, budget);
        current.removals().close();
        if (isDone) {
            boolean isCutOff = current.isCutOff();
            end(current, nowMs, isCutOff, isCutOff ? List.of() : current.groups());
            isBehind = hasWork(schedule.due(nowMs), nowMs);
        }
    }

    /** Returns the groups that have no streams left in the sweep. */
    private List<SweepGroup> sweptCompletely(SweepRun overtaken) {
        if (overtaken.isAnyToWake(schedule)) {
            return List.of();
        }
        Set<SweepGroup> left = new HashSet<>();
        overtaken.left().map(schedule::groupOf).forEach(left::add);
        return overtaken.groups().stream()
                .filter(group -> !left.contains(group))
                .toList();
    }

    /**
     * Returns true if the last sweep took longer than the interval and the next one finds something. The next one then
     * comes with the next slice, since it is late already, instead of when an idle task looks.
     */
    public boolean isBehind() {
        return isBehind;
    }

    /** Ends a sweep that is under way, because the policies have changed; the next one starts with a new point. */
    public void stop(long nowMs) {
        isBehind = false;
        if (run != null) {
            end(run, nowMs, true, List.of());
        }
    }

    /** Returns the last sweep that removed something; null if there was none. */
    @Nullable
    public SweepReport lastReport() {
        return lastReport;
    }

    /** Returns the {@code now} of the last sweep; -1 if there was none. */
    public long lastPointMs() {
        return lastPointMs;
    }

    /** Returns the time at which the last sweep ended; -1 if there was none. */
    public long lastCompletedMs() {
        return lastCompletedMs;
    }

    /** Passes over a due sweep that is known to find nothing. */
    public void passOver(long nowMs) {
        if (schedule.passOver(nowMs) || isEmptyPartitionDue(nowMs)) {
            lastPointMs = nowMs;
            lastCompletedMs = nowMs;
        }
    }

    private @Nullable SweepRun begin(PolicySet policies, long nowMs) {
        List<SweepGroup> groups = schedule.due(nowMs);
        SweepRun former = unfinished;
        if (groups.isEmpty() || (former == null && !hasWork(groups, nowMs))) {
            passOver(nowMs);
            return null;
        }
        SweepPoint point = new SweepPoint(nowMs, policies.version());
        String sweepId = newSweepId(nowMs);
        Removals removals = new Removals(outbox, observer, Origin.ofSweep(sweepId), sweepId);
        SweepRun begun = new SweepRun(sweepId, partition, point, groups, removals);
        if (former != null) {
            begun.goOnFrom(former);
            unfinished = null;
        }
        return begun;
    }

    /**
     * Returns true if a sweep finds something. Most find nothing, and end after a look at the top of each heap.
     */
    private static boolean hasWork(List<SweepGroup> groups, long nowMs) {
        for (SweepGroup group : groups) {
            if (group.hasWork(nowMs)) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if an empty partition is due: a sweep of it reports up to when the partition holds nothing. */
    private boolean isEmptyPartitionDue(long nowMs) {
        return schedule.groups().isEmpty()
                && Durations.isOver(lastPointMs + EMPTY_INTERVAL_MS, EMPTY_INTERVAL_MS, nowMs);
    }

    /** Makes the id of a sweep; the random part keeps ids apart if the clock steps back. */
    private String newSweepId(long nowMs) {
        int random = 0x10000 + ThreadLocalRandom.current().nextInt(0x10000);
        return "sweep-" + partition + '-' + nowMs + '-'
                + Integer.toHexString(random).substring(1);
    }

    /** Gives each stream its slice in turn; returns true if nothing is left to do, or the window has closed. */
    private boolean sweep(SweepRun current, long nowMs, SweepBudget budget) {
        if (!current.gather(schedule, budget)) {
            return false;
        }
        while (true) {
            boolean isAnyToWake = current.isRoundOver() && current.isAnyToWake(schedule);
            if (!isAnyToWake && current.isDone()) {
                return true;
            }
            if (budget.isSpent()) {
                return false;
            }
            if (isAnyToWake) {
                current.wake(schedule);
            }
            if (!current.isDone()) {
                SweepTurn next = current.next();
                if (take(next, current, nowMs, budget)) {
                    schedule.giveBack(next.stream());
                } else {
                    current.comeAgain(next);
                }
            }
            budget.spendStep();
        }
    }

    /** Sweeps a stream whose turn it is; returns true if the sweep is done with it. */
    private boolean take(SweepTurn next, SweepRun current, long nowMs, SweepBudget budget) {
        StreamState stream = next.stream();
        if (!maySweep(stream)) {
            return true;
        }
        SweepGroup group = schedule.groupOf(stream);
        if (!group.isOpen(nowMs)) {
            current.cutOff();
        }
        if (!group.isOpen(nowMs) || !current.groups().contains(group)) {
            return true;
        }
        long before = current.removed();
        return guard.run(stream, nowMs, () -> remove(stream, current, nowMs, budget))
                || !stream.mayLose(current.point().nowMs())
                || next.endSlice(current.removed() - before);
    }

    private boolean remove(StreamState stream, SweepRun current, long nowMs, SweepBudget budget) {
        long pointMs = current.point().nowMs();
        RemovalListener listener = removal(current, nowMs);
        return schedule.mayCapsTake(stream, pointMs)
                ? store.removeOverCap(stream, pointMs, budget, listener)
                : store.removeDue(stream, pointMs, budget, listener);
    }

    /**
     * Returns true if the stream may be swept. Called in each slice: in the meantime a record may wait, a hold may cover
     * the stream, or its source may have fallen behind (F-7).
     */
    private boolean maySweep(StreamState stream) {
        return store.stream(stream.stream()) == stream
                && stream.policy().isEnforced()
                && schedule.mayBeSwept(stream)
                && outbox.sources().maySweep(stream.stream());
    }

    private RemovalListener removal(SweepRun current, long nowMs) {
        return new RemovalListener() {
            @Override
            public void removed(StreamState stream, Removed removed) {
                current.count(stream, removed.cause(), removed.event().sizeBytes());
                current.removals()
                        .removed(removed, stream.policy(), current.point().policyVersion(), nowMs);
            }

            @Override
            public void executionRemoved(StreamState stream, Execution execution) {
                current.countExecution();
                current.removals()
                        .executionRemoved(
                                stream,
                                execution,
                                RemovalCause.MAX_AGE,
                                current.point().policyVersion(),
                                nowMs);
            }
        };
    }

    private void end(SweepRun ended, long nowMs, boolean isStoppedEarly, List<SweepGroup> swept) {
        run = null;
        unfinished = ended.isDone() ? null : ended;
        lastPointMs = ended.point().nowMs();
        lastCompletedMs = nowMs;
        swept.forEach(group -> group.swept(lastPointMs));
        if (ended.hasFound()) {
            SweepReport report = ended.report(nowMs, store.heldEvents(), isStoppedEarly);
            lastReport = report;
            outbox.report(report);
            observer.swept(report);
        }
    }
}
