package dev.ebb.topology.policy;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepSchedule;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes a change of the policies to the streams of one task, in slices: the due time of each affected stream is
 * computed anew, and no event is read. A change that names single streams is taken to those alone; a change of a
 * wider scope goes through all streams once, and changes that come meanwhile go through them once more together. Not
 * thread-safe.
 */
public final class PolicyFollower {

    private final EventStore store;
    private final SweepSchedule schedule;
    private final Deque<StreamName> named = new ArrayDeque<>();
    private PolicySet policies;
    private Iterator<StreamState> rest = List.<StreamState>of().iterator();

    /** True if all streams have to be gone through, once more if they are already. */
    private boolean isWide;

    /** True if policies were noticed to which no stream has been led yet. */
    private boolean isNoticed;

    /** @param policies the policies that all streams of the store go by */
    public PolicyFollower(EventStore store, SweepSchedule schedule, PolicySet policies) {
        this.store = store;
        this.schedule = schedule;
        this.policies = policies;
    }

    /** The policies that the streams go by, or are being led to. */
    public PolicySet policies() {
        return policies;
    }

    /** Returns true if all streams go by these policies. */
    public boolean follows(PolicySet newest) {
        return policies == newest && !isNoticed && named.isEmpty() && !rest.hasNext() && !isWide;
    }

    /**
     * Notes the way to these policies. Called before a stream is made by them: such a stream goes by policies that may be
     * withdrawn before the next turn, and between the policies before and after no difference would be left to lead it back.
     */
    public void notice(PolicySet newest) {
        if (policies == newest) {
            return;
        }
        PolicySet former = policies;
        policies = newest;
        isNoticed = true;
        newest.differingScopes(former, this::note);
        newest.differingCases(former, caseId -> {
            note(former.holds().get(caseId));
            note(newest.holds().get(caseId));
        });
    }

    /** Leads on to these policies, as far as the budget goes. */
    public void advance(PolicySet newest, SweepBudget budget) {
        notice(newest);
        isNoticed = false;
        while (!budget.isSpent()) {
            StreamState next = next();
            if (next == null) {
                return;
            }
            follow(next);
            budget.spendStep();
        }
    }

    private void note(@Nullable Hold hold) {
        if (hold != null) {
            note(hold.covers());
        }
    }

    private void note(Scope scope) {
        if (scope.kind() == Scope.Kind.STREAM) {
            named.add(new StreamName(scope.name()));
        } else {
            isWide = true;
        }
    }

    /** The next stream that may be touched; null if there is none. */
    private @Nullable StreamState next() {
        while (!named.isEmpty()) {
            StreamState stream = store.stream(named.remove());
            if (stream != null) {
                return stream;
            }
        }
        if (!rest.hasNext() && isWide) {
            isWide = false;
            rest = List.copyOf(store.streams()).iterator();
        }
        return rest.hasNext() ? rest.next() : null;
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
