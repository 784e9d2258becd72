package dev.ebb.domain.policy;

/**
 * Something about a policy that its author should know.
 *
 * @param field the field it is about, or {@code scope}
 * @param message what is wrong and what would be right, as a sentence without a full stop
 * @param isFault true if the policy is refused for it, false if it is only odd
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
