package dev.ebb.domain.policy.change;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.source.Source;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A change of policies, holds and sources that comes into force all at once. Immutable.
 *
 * @param policies the policies to set, already validated; at most one for each scope
 * @param holds the holds to place; at most one for each case
 * @param sources the sources to set; at most one of each name
 * @param removals the policies and sources to remove and the holds to release
 * @param actor the person who asks for it; empty if unknown
 * @param reason the reason of the removals; empty if unknown
 * @param base the policies in force for which the change was planned; the change is refused if another change has come
 *     into force since; null if any policies will do
 */
public record PolicyBatch(
        List<RetentionPolicy> policies,
        List<Hold> holds,
        List<Source> sources,
        Set<PolicyKey> removals,
        String actor,
        String reason,
        @Nullable PolicyEdition base) {

    /** Creates a change that does not depend on the policies in force. */
    public PolicyBatch(
            List<RetentionPolicy> policies, List<Hold> holds, Set<PolicyKey> removals, String actor, String reason) {
        this(policies, holds, List.of(), removals, actor, reason, null);
    }

    /** Returns this change with these sources to set. */
    public PolicyBatch with(List<Source> declared) {
        return new PolicyBatch(policies, holds, declared, removals, actor, reason, base);
    }

    /** Returns this change for these policies in force only. */
    public PolicyBatch on(PolicyEdition inForce) {
        return new PolicyBatch(policies, holds, sources, removals, actor, reason, inForce);
    }

    public PolicyBatch {
        policies = List.copyOf(policies);
        holds = List.copyOf(holds);
        sources = List.copyOf(sources);
        removals = Snapshot.of(removals);
    }

    /** Returns a change that only sets policies. */
    public static PolicyBatch ofPolicies(List<RetentionPolicy> policies) {
        return new PolicyBatch(policies, List.of(), Set.of(), "", "");
    }

    /** Returns true if the batch changes nothing. */
    public boolean isEmpty() {
        return policies.isEmpty() && holds.isEmpty() && sources.isEmpty() && removals.isEmpty();
    }

    /** Returns the keys of all policies, holds and sources that the batch changes. */
    public Set<PolicyKey> keys() {
        Set<PolicyKey> keys = new TreeSet<>(removals);
        policies.forEach(policy -> keys.add(PolicyKey.of(policy.scope())));
        holds.forEach(hold -> keys.add(hold.key()));
        sources.forEach(source -> keys.add(PolicyKey.ofSource(source.name())));
        return keys;
    }

    /** Returns true if the whole change is in force in the set. */
    public boolean isIn(PolicySet there) {
        return policies.stream().allMatch(policy -> isIn(policy, there))
                && holds.stream().allMatch(hold -> isIn(hold, there))
                && sources.stream()
                        .allMatch(source -> source.equals(there.sources().get(source.name())))
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
