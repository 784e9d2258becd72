package dev.ebb.topology.sweep;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.policy.Durations;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.retention.SweepPoint;
import dev.ebb.domain.retention.SweepReport;
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
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Sweeper of one partition, in slices (O-1 to O-4). A sweep fixes its point at its start, goes through the streams that
 * have something due or are over a cap, and ends with a report if it found something. Not thread-safe.
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

    /** Begins a sweep if one is due, and continues it as far as the budget goes. */
    public void slice(PolicySet policies, long nowMs, SweepBudget budget) {
        isBehind = false;
        SweepRun current = run == null ? begin(policies, nowMs) : run;
        if (current == null) {
            return;
        }
        run = current;
        boolean isDone = sweep(current, nowMs, budget);
        current.removals().close();
        if (isDone) {
            end(current, nowMs, current.isCutOff());
            isBehind = hasWork(schedule.due(nowMs), nowMs);
        }
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
            end(run, nowMs, true);
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
        if (!hasWork(groups, nowMs)) {
            passOver(nowMs);
            return null;
        }
        SweepPoint point = new SweepPoint(nowMs, policies.version());
        String sweepId = newSweepId(nowMs);
        Removals removals = new Removals(outbox, observer, Origin.ofSweep(sweepId), sweepId);
        return new SweepRun(sweepId, partition, point, groups, removals);
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
        int random = ThreadLocalRandom.current().nextInt(0x10000);
        return String.format("sweep-%d-%d-%04x", partition, nowMs, random);
    }

    /** Sweeps the current group; returns true if nothing is left to do, or the window has closed. */
    private boolean sweep(SweepRun current, long nowMs, SweepBudget budget) {
        SweepGroup group = current.currentGroup();
        while (group != null) {
            if (!group.isOpen(nowMs)) {
                current.cutOff().forEach(schedule::touch);
            } else if (!removeDue(current, group, nowMs, budget) || !removeOverCap(current, nowMs, budget)) {
                return false;
            }
            current.finishGroup();
            group = current.currentGroup();
        }
        return true;
    }

    private boolean removeDue(SweepRun current, SweepGroup group, long nowMs, SweepBudget budget) {
        long pointMs = current.point().nowMs();
        for (StreamState stream = group.nextDue(pointMs); stream != null; stream = group.nextDue(pointMs)) {
            if (budget.isSpent()) {
                return false;
            }
            StreamState due = stream;
            if (schedule.mayBeSwept(due)) {
                guard.attempt(due, nowMs, () -> store.removeDue(due, pointMs, budget, removal(current, nowMs)));
            }
            schedule.touch(stream);
            budget.spendStep();
        }
        return true;
    }

    private boolean removeOverCap(SweepRun current, long nowMs, SweepBudget budget) {
        Deque<StreamState> overCap = current.overCap();
        while (!overCap.isEmpty()) {
            if (budget.isSpent()) {
                return false;
            }
            StreamState stream = overCap.peek();
            if (!maySweep(stream) || guard.run(stream, nowMs, () -> removeOverCap(stream, current, nowMs, budget))) {
                overCap.poll();
            }
            schedule.touch(stream);
            budget.spendStep();
        }
        return true;
    }

    private boolean removeOverCap(StreamState stream, SweepRun current, long nowMs, SweepBudget budget) {
        return store.removeOverCap(stream, current.point().nowMs(), budget, removal(current, nowMs));
    }

    /**
     * Returns true if the stream may be swept. Called in each slice: in the meantime a record may wait, or a hold may
     * cover the stream.
     */
    private boolean maySweep(StreamState stream) {
        return store.stream(stream.stream()) == stream && stream.policy().isEnforced() && schedule.mayBeSwept(stream);
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

    private void end(SweepRun ended, long nowMs, boolean isStoppedEarly) {
        run = null;
        ended(isStoppedEarly ? List.of() : ended.groups(), ended.point().nowMs(), nowMs);
        ended.overCap().forEach(schedule::touch);
        if (ended.hasFound()) {
            SweepReport report = ended.report(nowMs, schedule.heldEvents(), isStoppedEarly);
            lastReport = report;
            outbox.report(report);
            observer.swept(report);
        }
    }

    private void ended(List<SweepGroup> swept, long pointMs, long nowMs) {
        lastPointMs = pointMs;
        lastCompletedMs = nowMs;
        for (SweepGroup group : swept) {
            group.swept(pointMs);
        }
    }
}
