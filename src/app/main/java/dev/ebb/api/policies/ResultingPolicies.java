package dev.ebb.api.policies;

import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import java.util.Set;
import java.util.TreeSet;

/** The policies that a file would leave in force. Stateless. */
public final class ResultingPolicies {

    private ResultingPolicies() {}

    /**
     * Returns the policies that would be in force if the file were applied now.
     *
     * @param file YAML or JSON
     * @param prune true if policies that the file does not have would be removed
     * @throws dev.ebb.api.http.ProblemException if the file has a fault
     */
    public static PolicySet of(String file, boolean prune, PolicySet current) {
        PolicyBodies.Parsed parsed = PolicyBodies.file(file);
        Set<PolicyKey> removed = new TreeSet<>();
        if (prune) {
            current.policies().keySet().forEach(scope -> removed.add(PolicyKey.of(scope)));
        }
        parsed.policies().forEach(policy -> removed.remove(PolicyKey.of(policy.scope())));
        return parsed.on(current, removed);
    }
}
