package dev.ebb.serde.text;

import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.source.Source;
import java.util.List;
import java.util.Optional;

/**
 * The result of reading a declared source.
 *
 * @param source the source; empty if and only if it has a fault
 * @param problems every fault, with the whole name of its field, such as {@code status.map}
 */
public record ParsedSource(Optional<Source> source, List<PolicyProblem> problems) {

    public ParsedSource {
        problems = List.copyOf(problems);
    }
}
