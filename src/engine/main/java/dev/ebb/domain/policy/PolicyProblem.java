package dev.ebb.domain.policy;

/**
 * A fault or a warning about a policy, for its author.
 *
 * @param field the field concerned, or {@code scope}
 * @param message the fault and its correction, as a sentence without a full stop
 * @param isFault true if the fault refuses the policy, false for a warning
 */
public record PolicyProblem(String field, String message, boolean isFault) {

    public static PolicyProblem fault(String field, String message) {
        return new PolicyProblem(field, message, true);
    }

    public static PolicyProblem warning(String field, String message) {
        return new PolicyProblem(field, message, false);
    }

    @Override
    public String toString() {
        return field + ": " + message;
    }
}
