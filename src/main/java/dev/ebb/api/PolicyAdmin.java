package dev.ebb.api;

import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Reads and changes policies. Thread-safe. */
public interface PolicyAdmin {

    /**
     * What is in force now.
     *
     * @throws NotReadyException while that is not known
     */
    PolicySet current();

    /**
     * Sends the change as one transaction and waits until it is in force on this instance.
     *
     * @param wait how long to wait at most
     * @throws UnavailableException if the broker did not take it; nothing has changed then
     */
    Outcome publish(Change change, Duration wait);

    /**
     * A change that comes into force all at once.
     *
     * @param policies the policies to set, already validated; at most one for each scope
     * @param removals the scopes whose records go
     */
    record Change(List<RetentionPolicy> policies, Set<Scope> removals) {

        public Change {
            policies = List.copyOf(policies);
            removals = Set.copyOf(removals);
        }
    }

    /**
     * What became of a change that the broker has taken.
     *
     * @param isInForce false if the wait was too short to see it in force; it may be a moment later
     * @param version the version of the policies in force when the wait ended
     */
    record Outcome(boolean isInForce, long version) {}
}
