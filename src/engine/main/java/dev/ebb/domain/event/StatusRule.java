package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/**
 * Rule for statuses (O-24): they are names, and neither begin nor end with a character that nobody sees. A status that
 * looks like a terminal one and is none would protect its event for ever. Stateless.
 */
final class StatusRule {

    private StatusRule() {}

    /** Returns the fault of the status, as the end of a sentence; null if there is none. Empty stands for none. */
    static @Nullable String problem(@Nullable String status) {
        if (status == null || status.isEmpty()) {
            return null;
        }
        boolean isUnseen = isInvisible(status.codePointAt(0)) || isInvisible(status.codePointBefore(status.length()));
        String problem = NameRule.problem(status);
        return problem == null && isUnseen ? "must not begin or end with an invisible character" : problem;
    }

    /**
     * Returns true for characters that join or direct others and show nothing at the end of a text. Of the same kind
     * in Unicode are signs that some scripts write and the end of a flag, which are seen.
     */
    private static boolean isInvisible(int codePoint) {
        return codePoint == 0xAD
                || codePoint == 0x61C
                || codePoint == 0x180E
                || (codePoint >= 0x200B && codePoint <= 0x200F)
                || (codePoint >= 0x202A && codePoint <= 0x202E)
                || (codePoint >= 0x2060 && codePoint <= 0x206F)
                || codePoint == 0xFEFF;
    }
}
