package dev.ebb.model;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Policies in force for tests. */
public final class Policies {

    public static final BuiltInPolicies BUILT_IN = new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE);

    private Policies() {}

    /** These records in force; their versions are 0, 1, 2 and so on, in this order. */
    public static PolicySet setOf(RetentionPolicy... policies) {
        Map<Scope, VersionedPolicy> records = new HashMap<>();
        for (int i = 0; i < policies.length; i++) {
            records.put(policies[i].scope(), new VersionedPolicy(policies[i], i, 0));
        }
        return new PolicySet(records, BUILT_IN, policies.length - 1L);
    }

    /** These policies with the given holds. */
    public static PolicySet setOf(List<RetentionPolicy> policies, List<Hold> holds) {
        PolicySet records = setOf(policies.toArray(RetentionPolicy[]::new));
        Map<String, Hold> byCase = new HashMap<>();
        holds.forEach(hold -> byCase.put(hold.caseId(), hold));
        return new PolicySet(records.policies(), byCase, BUILT_IN, records.version());
    }

    /** Policy in force for any stream if the record of {@code *} sets these fields. */
    public static EffectivePolicy effective(UnaryOperator<RetentionPolicy.Builder> fields) {
        return all(fields).effective(new StreamName("any"));
    }

    /** The set in which the record of {@code *} sets these fields. */
    public static PolicySet all(UnaryOperator<RetentionPolicy.Builder> fields) {
        return setOf(fields.apply(RetentionPolicy.of(Scope.ALL)).build());
    }
}
