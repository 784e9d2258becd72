package dev.ebb.domain.policy;

import dev.ebb.domain.event.StreamName;
import java.util.ArrayList;
import java.util.List;

/** Finds everything in a policy that cannot mean what its author wants (M-11). Stateless. */
public final class PolicyValidator {

    private PolicyValidator() {}

    /** All faults and warnings, faults first; empty if there is nothing to say. */
    public static List<PolicyProblem> problems(RetentionPolicy policy) {
        List<PolicyProblem> problems = new ArrayList<>();
        checkBounds(policy, problems);
        checkInterval(policy, problems);
        checkPattern(policy, problems);
        checkUse(policy, problems);
        return List.copyOf(problems);
    }

    private static void checkBounds(RetentionPolicy policy, List<PolicyProblem> problems) {
        Limit min = policy.minTtl();
        Limit max = policy.maxTtl();
        if (min != null && !min.isNone() && max != null && min.value() > max.value()) {
            problems.add(PolicyProblem.fault(
                    "minTtl",
                    "must not be greater than maxTtl: " + Durations.format(min.value()) + " > "
                            + Durations.format(max.value())));
        }
    }

    private static void checkInterval(RetentionPolicy policy, List<PolicyProblem> problems) {
        Long interval = policy.intervalMs();
        if (interval != null && interval <= 0) {
            problems.add(PolicyProblem.fault("interval", "must be positive, was " + Durations.format(interval)));
        }
    }

    private static void checkPattern(RetentionPolicy policy, List<PolicyProblem> problems) {
        String pattern = policy.pattern();
        if (pattern == null) {
            return;
        }
        if (policy.scope().kind() != Scope.Kind.NAMESPACE) {
            problems.add(PolicyProblem.fault(
                    "pattern", "is for namespace scopes only, this policy is for " + policy.scope()));
            return;
        }
        String problem = StreamName.problem(pattern);
        if (problem != null) {
            problems.add(PolicyProblem.fault("pattern", problem));
        }
    }

    private static void checkUse(RetentionPolicy policy, List<PolicyProblem> problems) {
        if (!policy.isEnabled()) {
            problems.add(PolicyProblem.warning("enabled", "is false: this policy is ignored"));
        }
    }
}
