package dev.ebb.domain.policy.change;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.VersionedPolicy;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A change of policies and holds that comes into force all at once. Immutable.
 *
 * @param policies the policies to set, already validated; at most one for each scope
 * @param holds the holds to place; at most one for each case
 * @param removals the policies to remove and the holds to release
 * @param actor the person who asks for it; empty if unknown
 * @param reason the reason of the removals; empty if unknown
 * @param base the version of the policies in force for which it was planned: it is refused if another has come into force
 *     by then; null if that does not matter
 */
public record PolicyBatch(
        List<RetentionPolicy> policies,
        List<Hold> holds,
        Set<PolicyKey> removals,
        String actor,
        String reason,
        @Nullable Long base) {

    /** A change that does not depend on what is in force. */
    public PolicyBatch(
            List<RetentionPolicy> policies, List<Hold> holds, Set<PolicyKey> removals, String actor, String reason) {
        this(policies, holds, removals, actor, reason, null);
    }

    /** This change, which must not come into force over other policies than those of that version. */
    public PolicyBatch on(long version) {
        return new PolicyBatch(policies, holds, removals, actor, reason, version);
    }

    public PolicyBatch {
        policies = List.copyOf(policies);
        holds = List.copyOf(holds);
        removals = Snapshot.of(removals);
    }

    /** Sets policies, and changes nothing else. */
    public static PolicyBatch ofPolicies(List<RetentionPolicy> policies) {
        return new PolicyBatch(policies, List.of(), Set.of(), "", "");
    }

    /** Returns true if the batch changes nothing. */
    public boolean isEmpty() {
        return policies.isEmpty() && holds.isEmpty() && removals.isEmpty();
    }

    /** Keys of all policies and holds that it changes. */
    public Set<PolicyKey> keys() {
        Set<PolicyKey> keys = new TreeSet<>(removals);
        policies.forEach(policy -> keys.add(PolicyKey.of(policy.scope())));
        holds.forEach(hold -> keys.add(hold.key()));
        return keys;
    }

    /** Returns true if all of the change is in force in that set. */
    public boolean isIn(PolicySet there) {
        return policies.stream().allMatch(policy -> isIn(policy, there))
                && holds.stream().allMatch(hold -> isIn(hold, there))
                && removals.stream().noneMatch(there::contains);
    }

    /** Compares holds without the time of placing, which the gate sets. */
    private static boolean isIn(Hold hold, PolicySet there) {
        Hold placed = there.holds().get(hold.caseId());
        return placed != null
                && placed.covers().equals(hold.covers())
                && placed.reason().equals(hold.reason());
    }

    private static boolean isIn(RetentionPolicy policy, PolicySet there) {
        VersionedPolicy record = there.policies().get(policy.scope());
        return record != null && record.policy().equals(policy);
    }
}
