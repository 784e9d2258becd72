package dev.ebb.domain.policy;

import dev.ebb.domain.event.NameRule;
import dev.ebb.domain.time.Durations;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds everything in a policy that its author cannot have intended (M-11). Stateless. */
public final class PolicyValidator {

    /** Fault of a policy that sets nothing: accepting it would remove the rules of the policy before it. */
    public static final PolicyProblem WITHOUT_RULE = PolicyProblem.fault(
            "scope", "has a policy without any rule; set one, maxAge for example, or delete the policy");

    private PolicyValidator() {}

    /** Returns all faults and warnings, faults first; empty if there are none. */
    public static List<PolicyProblem> problems(RetentionPolicy policy) {
        List<PolicyProblem> problems = new ArrayList<>();
        if (policy.isWithoutRule()) {
            problems.add(WITHOUT_RULE);
        }
        checkBounds(policy, problems);
        checkInterval(policy, problems);
        checkPattern(policy, problems);
        checkUse(policy, problems);
        return List.copyOf(problems);
    }

    private static void checkBounds(RetentionPolicy policy, List<PolicyProblem> problems) {
        checkOrder(PolicyField.MIN_TTL, PolicyField.MAX_TTL, policy, problems);
        checkOrder(PolicyField.MIN_AGE, PolicyField.MAX_AGE, policy, problems);
    }

    /** Checks that the first length of time is not longer than the second. */
    private static void checkOrder(
            PolicyField<Limit> low, PolicyField<Limit> high, RetentionPolicy policy, List<PolicyProblem> problems) {
        Limit min = policy.get(low);
        Limit max = policy.get(high);
        if (min != null && max != null && isGreater(min, max)) {
            problems.add(PolicyProblem.fault(
                    low.fieldName(),
                    "must not be greater than " + high + ": " + Durations.format(min.value()) + " > "
                            + Durations.format(max.value())));
        }
    }

    private static boolean isGreater(@Nullable Limit min, @Nullable Limit max) {
        return min != null && max != null && !min.isNone() && min.value() > max.value();
    }

    private static void checkInterval(RetentionPolicy policy, List<PolicyProblem> problems) {
        Long interval = policy.get(PolicyField.INTERVAL);
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
        String problem = NameRule.problem(pattern);
        if (problem != null) {
            problems.add(PolicyProblem.fault("pattern", problem));
        }
    }

    private static void checkUse(RetentionPolicy policy, List<PolicyProblem> problems) {
        if (!policy.isEnabled()) {
            problems.add(PolicyProblem.warning("enabled", "is false: this policy is ignored"));
        }
        warnIfGreater(
                policy.get(PolicyField.KEEP_LAST),
                policy.get(PolicyField.MAX_COUNT),
                PolicyProblem.warning("keepLast", "is greater than maxCount: the guard wins"),
                problems);
        warnIfGreater(
                policy.get(PolicyField.MIN_AGE),
                policy.get(PolicyField.MAX_TTL),
                PolicyProblem.warning("minAge", "is greater than maxTtl: the guard wins"),
                problems);
        warnIfGreater(
                policy.get(PolicyField.WARN_BEFORE),
                policy.get(PolicyField.MAX_AGE),
                PolicyProblem.warning("warnBefore", "is greater than maxAge: every event is always reported"),
                problems);
    }

    private static void warnIfGreater(
            @Nullable Limit min, @Nullable Limit max, PolicyProblem warning, List<PolicyProblem> problems) {
        if (isGreater(min, max)) {
            problems.add(warning);
        }
    }
}
