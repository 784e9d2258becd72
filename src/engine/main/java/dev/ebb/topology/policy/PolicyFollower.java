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
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Follower of the policies that applies a change to the streams of one task, in slices: the due time of each affected
 * stream is recomputed, and no event is read. A change that names single streams is applied to those only, one of
 * namespaces to their streams. A change of a wider scope goes through all streams once; changes that come in the
 * meantime go through them once more, together. A stream that is not in memory comes into it only if the change makes a
 * difference to what is stored. Not thread-safe.
 */
public final class PolicyFollower {

    private final EventStore store;
    private final SweepSchedule schedule;
    private final Deque<StreamName> named = new ArrayDeque<>();
    private PolicySet policies;
    private Iterator<StreamName> rest = Collections.emptyIterator();

    /** Namespaces whose streams have to be gone through. */
    private final NavigableSet<String> namespaces = new TreeSet<>();

    /** True if all streams have to be gone through, once more if that is already under way. */
    private boolean isWide;

    /** True if policies were noticed that have not been applied to any stream yet. */
    private boolean isNoticed;

    /** @param policies the policies by which the store was opened; streams that do not follow them yet are led to them */
    public PolicyFollower(EventStore store, SweepSchedule schedule, PolicySet policies) {
        this.store = store;
        this.schedule = schedule;
        this.policies = policies;
        this.isWide = !store.hasFollowed(policies);
    }

    /** Returns the policies that the streams follow, or are being led to. */
    public PolicySet policies() {
        return policies;
    }

    /** Returns true if all streams follow these policies. */
    public boolean follows(PolicySet newest) {
        return policies == newest
                && !isNoticed
                && named.isEmpty()
                && !rest.hasNext()
                && namespaces.isEmpty()
                && !isWide;
    }

    /**
     * Notes that streams are to be led to these policies. Called before a stream is arranged by these policies: such a
     * stream follows policies that may be withdrawn before the next turn, and no difference between the policies before
     * and after would be left to lead the stream back.
     */
    public void notice(PolicySet newest) {
        if (policies == newest) {
            return;
        }
        PolicySet former = policies;
        store.follow(newest);
        if (!newest.settings().equals(former.settings())) {
            store.changeStatuses(newest.settings().statuses());
            isWide = true;
        }
        policies = newest;
        isNoticed = true;
        newest.differingScopes(former, this::note);
        newest.sources().differences(former.sources(), this::note);
        newest.differingCases(former, caseId -> {
            note(former.holds().get(caseId));
            note(newest.holds().get(caseId));
        });
        if (isWide || !namespaces.isEmpty()) {
            store.beginIntervals(schedule);
        }
    }

    /** Leads streams to these policies, as far as the budget goes. */
    public void advance(PolicySet newest, SweepBudget budget) {
        notice(newest);
        isNoticed = false;
        while (!budget.isSpent()) {
            StreamName next = next();
            if (next == null) {
                store.followed(policies);
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
        } else if (scope.kind() == Scope.Kind.NAMESPACE && !scope.name().equals(StreamName.DEFAULT_NAMESPACE)) {
            namespaces.add(scope.name());
        } else {
            isWide = true;
        }
    }

    /** Returns the next stream that may be touched; null if there is none. */
    private @Nullable StreamName next() {
        while (!named.isEmpty()) {
            StreamName stream = named.remove();
            if (store.glance(stream) != null) {
                return stream;
            }
        }
        while (!rest.hasNext() && (isWide || !namespaces.isEmpty())) {
            if (isWide) {
                isWide = false;
                namespaces.clear();
                rest = store.names(null);
            } else {
                rest = store.names(namespaces.pollFirst());
            }
        }
        return rest.hasNext() ? rest.next() : null;
    }

    private void follow(StreamName name) {
        EffectivePolicy policy = policies.effective(name);
        boolean isHeld = policies.isHeld(name);
        StreamState seen = store.glance(name);
        if (seen == null || (policy.equals(seen.policy()) && isHeld == seen.isHeld() && store.isArranged(seen))) {
            return;
        }
        StreamState stream = store.stream(name);
        if (stream != null) {
            store.changePolicy(stream, policy, isHeld);
            schedule.touch(stream);
        }
    }
}
