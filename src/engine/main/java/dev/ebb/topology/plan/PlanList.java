package dev.ebb.topology.plan;

import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.Removed;
import dev.ebb.store.state.StreamState;

/** The events that a dry run lists, or holds against a list that was made before. */
public interface PlanList {

    /** Begins a slice. */
    void beginSlice(long nowMs);

    /** Comes before the events of the stream; returns false if the budget ended it, and is called again then. */
    boolean open(StreamState stream, SweepBudget budget);

    /**
     * Takes an event that would go; returns whether it is a finding, and not one that was planned before, that only the time
     * since has made due, or that goes without the plan as well.
     *
     * @param policy the policy by which it would go
     */
    boolean takes(StreamState stream, Removed removed, EffectivePolicy policy);

    /** Comes behind the last stream; returns false if the budget ended it, and is called again then. */
    boolean close(SweepBudget budget);

    /** Ends the list; returns the tally of its events. */
    PlanTally finish();
}
