package dev.ebb.serde.text;

import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.RetentionPolicy;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of reading a declared policy.
 *
 * @param policy the policy; empty if and only if it has a fault
 * @param problems every fault and every warning
 */
public record ParsedPolicy(Optional<RetentionPolicy> policy, List<PolicyProblem> problems) {

    public ParsedPolicy {
        problems = List.copyOf(problems);
        if (policy.isPresent() == problems.stream().anyMatch(PolicyProblem::isFault)) {
            throw new IllegalArgumentException("there is a policy exactly if there is no fault");
        }
    }

    /** Returns this result with one more fault. */
    public ParsedPolicy and(PolicyProblem fault) {
        return new ParsedPolicy(
                Optional.empty(),
                Stream.concat(problems.stream(), Stream.of(fault)).toList());
    }

    /** Returns the problems that are not faults. */
    public List<PolicyProblem> warnings() {
        return problems.stream().filter(problem -> !problem.isFault()).toList();
    }

    /** Returns every fault in one sentence; empty if there is none. */
    public String faults() {
        return problems.stream()
                .filter(PolicyProblem::isFault)
                .map(PolicyProblem::toString)
                .collect(Collectors.joining("; "));
    }
}
