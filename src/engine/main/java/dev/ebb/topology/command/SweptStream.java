package dev.ebb.topology.command;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.forecast.StreamForecast;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.plan.PlanList;
import dev.ebb.topology.sweep.SweepFindings;
import dev.ebb.topology.sweep.SweepFindings.Unfinished;
import dev.ebb.topology.sweep.SweepTurn;
import dev.ebb.topology.work.CommandContext;
import dev.ebb.topology.work.StreamRemovals;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Stream whose turn it is in a sweep by hand: loses events, or only shows which it would lose. Not thread-safe. */
final class SweptStream {

    private final CommandContext context;
    private final SweepFindings findings;
    private final @Nullable PlanList plan;
    private final StreamState stream;
    private final long pointMs;
    private final Map<RemovalCause, Tally> goneBefore;
    private final SweepTurn turn;
    private SweepFindings.@Nullable OfStream found;
    private @Nullable RemovalListener listener;
    private boolean isDueDone;
    private @Nullable StreamForecast forecast;

    /**
     * @param plan takes the events that a dry run would delete; null in a sweep
     * @param goneBefore the events that had gone when the state of the work was saved, by cause
     */
    SweptStream(
            CommandContext context,
            SweepFindings findings,
            @Nullable PlanList plan,
            StreamState stream,
            long pointMs,
            Map<RemovalCause, Tally> goneBefore) {
        this.context = context;
        this.findings = findings;
        this.plan = plan;
        this.stream = stream;
        this.pointMs = pointMs;
        this.goneBefore = goneBefore;
        this.turn = new SweepTurn(stream);
    }

    StreamState stream() {
        return stream;
    }

    boolean isThere() {
        return context.store().stream(stream.stream()) == stream;
    }

    /**
     * Returns true if the stream may be swept. Called in each slice: the stream may be deleted, held or arranged
     * otherwise by now.
     */
    boolean maySweep() {
        return isThere() && context.schedule().mayBeSwept(stream);
    }

    /** Returns true if the stream has to end its move or its recount first, which needs no help. */
    boolean mustWait() {
        return isThere()
                && !stream.isHeld()
                && stream.quarantine() == null
                && (stream.isMoving() || stream.isSuspect());
    }

    boolean isBegun() {
        return found != null;
    }

    /** Begins under these policies; deletes nothing in a dry run, or if the policy only warns. */
    void begin(PolicySet policies, boolean isDryRun) {
        EffectivePolicy policy = policies.effective(stream.stream());
        boolean isOnlyWarned = !policy.isEnforced();
        found = findings.begin(stream, isOnlyWarned, goneBefore);
        forecast = isOnlyWarned || isDryRun
                ? context.store().forecast(stream, policy, policies.isHeld(stream.stream()), pointMs)
                : null;
        // A policy that only warns deletes nothing, so none of its findings is in a plan.
        listener = plan == null || isOnlyWarned ? found : listed(plan, policy, found);
    }

    /** Continues as far as the budget goes; returns true if the sweep is done with the stream. */
    boolean sweep(StreamRemovals removals, SweepBudget budget) {
        SweepFindings.OfStream begun = Objects.requireNonNull(found);
        if (forecast == null) {
            return remove(begun, removals, budget);
        }
        return (plan == null || plan.open(stream, budget)) && forecast.step(budget, Objects.requireNonNull(listener));
    }

    /** Ends the stream, with which the sweep is done. */
    void end() {
        Objects.requireNonNull(found).end(stream);
    }

    /** Breaks off the stream, which may no longer be swept or no longer exists; its deletes still count. */
    void breakOff() {
        if (found == null) {
            findings.breakOff(unfinished());
        } else {
            found.breakOff();
        }
    }

    void fail() {
        if (found == null) {
            findings.failed();
        } else {
            found.failed();
        }
    }

    /** Leaves the stream, or its rest, because its records wait or it is quarantined. */
    void leave() {
        if (found != null) {
            found.notReady();
        } else {
            findings.begin(stream, false, goneBefore).notReady();
        }
    }

    /** Returns the stream as it is saved. */
    Unfinished unfinished() {
        return new Unfinished(stream.sid(), stream.stream().value(), found == null ? goneBefore : found.gone());
    }

    private RemovalListener listed(PlanList list, EffectivePolicy policy, SweepFindings.OfStream counts) {
        return new RemovalListener() {
            @Override
            public void removed(StreamState from, Removed removed) {
                if (list.takes(from, removed, policy)) {
                    counts.removed(from, removed);
                }
            }

            @Override
            public void executionRemoved(StreamState from, Execution execution) {
                counts.executionRemoved(from, execution);
            }
        };
    }

    private boolean remove(SweepFindings.OfStream counts, StreamRemovals removals, SweepBudget budget) {
        Counted counted = new Counted(counts, removals);
        if (!isDueDone) {
            isDueDone = context.store().removeDue(stream, pointMs, budget, counted);
        }
        boolean isDone = isDueDone && context.store().removeOverCap(stream, pointMs, budget, counted);
        context.schedule().touch(stream);
        return isDone || turn.endSlice(counted.removed);
    }

    /** Listener that counts and sends what goes in one slice. */
    private static final class Counted implements RemovalListener {

        private final SweepFindings.OfStream counts;
        private final StreamRemovals removals;
        private long removed;

        Counted(SweepFindings.OfStream counts, StreamRemovals removals) {
            this.counts = counts;
            this.removals = removals;
        }

        @Override
        public void removed(StreamState from, Removed event) {
            removed++;
            counts.removed(from, event);
            removals.removed(from, event);
        }

        @Override
        public void executionRemoved(StreamState from, Execution execution) {
            removed++;
            counts.executionRemoved(from, execution);
            removals.executionRemoved(from, execution);
        }
    }
}
