package dev.ebb.serde;

import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.RetentionPolicy;
import java.util.List;

/**
 * A file of policies (O-13), in YAML or JSON: an object with a list {@code policies}. Validated as a whole.
 *
 * @param policies the policies in the order of the file; empty if the file has a fault, so that nobody applies half of it
 * @param problems every fault and every warning with its place
 */
public record PolicyFile(List<RetentionPolicy> policies, List<Problem> problems) {

    /**
     * A problem and where it is.
     *
     * @param line the line, from 1
     * @param place the entry of the list with its scope, such as {@code policies[0] (*)}; empty for the file itself
     * @param problem what it is
     */
    public record Problem(int line, String place, PolicyProblem problem) {

        @Override
        public String toString() {
            return "line " + line + (place.isEmpty() ? "" : ", " + place) + ": " + problem;
        }
    }

    public PolicyFile {
        policies = List.copyOf(policies);
        problems = List.copyOf(problems);
    }

    /** Reads the text of a file; never throws for what is in it. */
    public static PolicyFile read(String text) {
        return new PolicyFileReader(text).read();
    }

    /** Whether the file must not be applied. */
    public boolean isFaulty() {
        return problems.stream().anyMatch(problem -> problem.problem().isFault());
    }
}
