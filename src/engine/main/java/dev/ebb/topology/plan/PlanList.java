package dev.ebb.topology.plan;

import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.Removed;
import dev.ebb.store.state.StreamState;

/** List of events that a dry run makes, or with which it is compared. */
public interface PlanList {

    /** Begins a slice. */
    void beginSlice(long nowMs);

    /** Opens a stream, before any of its events; returns false if the budget ended this; the call is then repeated. */
    boolean open(StreamState stream, SweepBudget budget);

    /**
     * Takes an event that would go; returns true if the event is a finding. An event is none if it was planned before,
     * if it has fallen due only since then, or if it would go without the plan as well.
     *
     * @param policy the policy by which it would go
     */
    boolean takes(StreamState stream, Removed removed, EffectivePolicy policy);

    /** Closes the last stream, after all events; returns false if the budget ended this; the call is then repeated. */
    boolean close(SweepBudget budget);

    /** Ends the list; returns the tally of its events. */
    PlanTally finish();
}
