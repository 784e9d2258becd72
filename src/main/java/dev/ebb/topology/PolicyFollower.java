package dev.ebb.topology;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.store.StreamState;
import dev.ebb.store.SweepSchedule;
import java.util.Iterator;
import java.util.List;

/**
 * Takes a change of the policies to the streams of one task, in slices: the due time of each stream that is touched is
 * computed anew, and no event is read. Not thread-safe.
 */
final class PolicyFollower {

    private final EventStore store;
    private final SweepSchedule schedule;
    private PolicySet policies;
    private Iterator<StreamState> rest = List.<StreamState>of().iterator();

    /** @param policies what all streams of the store go by */
    PolicyFollower(EventStore store, SweepSchedule schedule, PolicySet policies) {
        this.store = store;
        this.schedule = schedule;
        this.policies = policies;
    }

    /** The policies that the streams go by, or are being led to. */
    PolicySet policies() {
        return policies;
    }

    /** Whether all streams go by these policies. */
    boolean follows(PolicySet newest) {
        return policies == newest && !rest.hasNext();
    }

    /** Leads on to these policies, as far as the budget goes. */
    void advance(PolicySet newest, SweepBudget budget) {
        if (policies != newest) {
            policies = newest;
            rest = List.copyOf(store.streams()).iterator();
        }
        while (rest.hasNext() && !budget.isSpent()) {
            follow(rest.next());
            budget.spendStep();
        }
    }

    private void follow(StreamState stream) {
        EffectivePolicy policy = policies.effective(stream.stream());
        boolean isHeld = policies.isHeld(stream.stream());
        boolean isSame = policy.equals(stream.policy()) && isHeld == stream.isHeld();
        if (isSame || store.stream(stream.stream()) != stream) {
            return;
        }
        store.changePolicy(stream, policy, isHeld);
        schedule.touch(stream);
    }
}
