package dev.ebb.topology.command;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.forecast.StreamForecast;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.plan.PlanList;
import dev.ebb.topology.sweep.SweepFindings;
import org.jspecify.annotations.Nullable;

/** Stream whose turn it is in a sweep by hand: loses events, or only shows which it would lose. Not thread-safe. */
final class SweptStream {

    private final CommandContext context;
    private final SweepFindings findings;
    private final @Nullable PlanList plan;
    private final StreamState stream;
    private final long pointMs;
    private boolean isBegun;
    private boolean isDueDone;
    private @Nullable StreamForecast forecast;
    private RemovalListener found;

    /** @param plan takes the events that a dry run would delete; null in a sweep */
    SweptStream(
            CommandContext context, SweepFindings findings, @Nullable PlanList plan, StreamState stream, long pointMs) {
        this.context = context;
        this.findings = findings;
        this.plan = plan;
        this.stream = stream;
        this.pointMs = pointMs;
        this.found = findings;
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
        return isBegun;
    }

    /** Begins under these policies; deletes nothing in a dry run, or if the policy only warns. */
    void begin(PolicySet policies, boolean isDryRun) {
        EffectivePolicy policy = policies.effective(stream.stream());
        boolean isOnlyWarned = !policy.isEnforced();
        findings.begin(stream, isOnlyWarned);
        forecast = isOnlyWarned || isDryRun
                ? context.store().forecast(stream, policy, policies.isHeld(stream.stream()), pointMs)
                : null;
        // A policy that only warns deletes nothing, so none of its findings is in a plan.
        found = plan == null || isOnlyWarned ? findings : listed(plan, policy);
        isBegun = true;
    }

    /** Continues as far as the budget goes; returns true if all of the stream has been looked at. */
    boolean sweep(StreamRemovals removals, SweepBudget budget) {
        if (forecast == null) {
            return remove(removals, budget);
        }
        return (plan == null || plan.open(stream, budget)) && forecast.step(budget, found);
    }

    private RemovalListener listed(PlanList list, EffectivePolicy policy) {
        return new RemovalListener() {
            @Override
            public void removed(StreamState from, Removed removed) {
                if (list.takes(from, removed, policy)) {
                    findings.removed(from, removed);
                }
            }

            @Override
            public void executionRemoved(StreamState from, Execution execution) {
                findings.executionRemoved(from, execution);
            }
        };
    }

    private boolean remove(StreamRemovals removals, SweepBudget budget) {
        RemovalListener listener = counted(removals);
        if (!isDueDone) {
            isDueDone = context.store().removeDue(stream, pointMs, budget, listener);
        }
        boolean isDone = isDueDone && context.store().removeOverCap(stream, pointMs, budget, listener);
        context.schedule().touch(stream);
        return isDone;
    }

    private RemovalListener counted(StreamRemovals removals) {
        return new RemovalListener() {
            @Override
            public void removed(StreamState from, Removed removed) {
                findings.removed(from, removed);
                removals.removed(from, removed);
            }

            @Override
            public void executionRemoved(StreamState from, Execution execution) {
                findings.executionRemoved(from, execution);
                removals.executionRemoved(from, execution);
            }
        };
    }
}
