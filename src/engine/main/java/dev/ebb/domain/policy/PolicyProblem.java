package dev.ebb.domain.policy;

/**
 * Something about a policy that its author should know.
 *
 * @param field the field it is about, or {@code scope}
 * @param message the fault and its correction, as a sentence without a full stop
 * @param isFault true if the policy is refused because of it, false if it is only a warning
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
