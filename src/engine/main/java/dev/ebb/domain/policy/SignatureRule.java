package dev.ebb.domain.policy;

import org.jspecify.annotations.Nullable;

/**
 * Limits of the author of a change and of the reason. Both go into the audit, into SQL and into marks, more than once in
 * one record. What people send is refused beyond the limits, since a shortened text would differ from theirs for ever;
 * of records on a topic the beginning is kept. Stateless.
 */
public final class SignatureRule {

    public static final int MAX_ACTOR = 255;
    public static final int MAX_REASON = 4096;

    private SignatureRule() {}

    /** Returns the fault of a field, as the end of a sentence; null if there is none, or if it is no such field. */
    public static @Nullable String problem(String field, @Nullable String text) {
        int most =
                switch (field) {
                    case "actor", "updatedBy", "placedBy" -> MAX_ACTOR;
                    case "reason" -> MAX_REASON;
                    default -> Integer.MAX_VALUE;
                };
        return text != null && text.length() > most
                ? "must not be longer than " + most + " characters, was " + text.length()
                : null;
    }
}
