package dev.ebb.domain.policy;

import dev.ebb.domain.Unicode;
import org.jspecify.annotations.Nullable;

/**
 * Rules for the author of a change and of the reason. Both go into the audit, into SQL and into marks, more than once in
 * one record. What people send is refused beyond the limits, since a shortened text would differ from theirs for ever;
 * of records on a topic the beginning is kept. Texts that UTF-8 or SQL cannot hold would come back as others (O-24).
 * Stateless.
 */
public final class SignatureRule {

    public static final int MAX_ACTOR = 255;
    public static final int MAX_REASON = 4096;

    private SignatureRule() {}

    /** Returns the fault of a field, as the end of a sentence; null if there is none, or if it is no such field. */
    public static @Nullable String problem(String field, @Nullable String text) {
        return switch (field) {
            case "actor", "updatedBy", "placedBy" -> text == null ? null : problemOfActor(text);
            case "reason" -> text == null ? null : problemOfReason(text);
            default -> null;
        };
    }

    /** Returns the fault of an author, as the end of a sentence; null if there is none. Empty stands for none. */
    public static @Nullable String problemOfActor(String actor) {
        String problem = problemOfLength(MAX_ACTOR, actor);
        if (problem == null && !actor.equals(actor.strip())) {
            return "must not begin or end with a blank";
        }
        return problem == null && actor.codePoints().anyMatch(Character::isISOControl)
                ? "must not contain control characters"
                : problem;
    }

    /** Returns the fault of a reason, as the end of a sentence; null if there is none. */
    public static @Nullable String problemOfReason(String reason) {
        String problem = problemOfLength(MAX_REASON, reason);
        return problem == null && reason.indexOf(0) >= 0 ? "must not contain U+0000" : problem;
    }

    private static @Nullable String problemOfLength(int most, String text) {
        if (text.length() > most) {
            return "must not be longer than " + most + " characters, was " + text.length();
        }
        return Unicode.isValid(text) ? null : "must be valid Unicode";
    }
}
