package dev.ebb.serde.text;

import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyProblem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of reading a declared hold.
 *
 * @param hold the hold; empty if and only if it has a fault
 * @param problems every fault
 */
public record ParsedHold(Optional<Hold> hold, List<PolicyProblem> problems) {

    public ParsedHold {
        problems = List.copyOf(problems);
    }

    /** Returns this result with one more fault. */
    public ParsedHold and(PolicyProblem fault) {
        return new ParsedHold(
                Optional.empty(),
                Stream.concat(problems.stream(), Stream.of(fault)).toList());
    }

    /** Returns every fault in one sentence; empty if there is none. */
    public String faults() {
        return problems.stream().map(PolicyProblem::toString).collect(Collectors.joining("; "));
    }
}
