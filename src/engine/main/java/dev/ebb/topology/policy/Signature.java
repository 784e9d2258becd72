package dev.ebb.topology.policy;

import dev.ebb.domain.Shortened;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.SignatureRule;
import org.jspecify.annotations.Nullable;

/**
 * Author of a change of policies or holds, and the reason. Both go with the change into the audit, into SQL and into
 * marks, more than once in one record, so long ones are cut off. Commands have the same limits. Stateless.
 */
public final class Signature {

    private Signature() {}

    public static RetentionPolicy shortened(RetentionPolicy policy) {
        boolean isShort = length(policy.updatedBy()) <= SignatureRule.MAX_ACTOR
                && length(policy.reason()) <= SignatureRule.MAX_REASON;
        return isShort
                ? policy
                : policy.toBuilder()
                        .updatedBy(shortened(SignatureRule.MAX_ACTOR, policy.updatedBy()))
                        .reason(shortened(SignatureRule.MAX_REASON, policy.reason()))
                        .build();
    }

    public static Hold shortened(Hold hold) {
        return new Hold(
                hold.caseId(),
                hold.covers(),
                Shortened.to(SignatureRule.MAX_REASON, hold.reason()),
                Shortened.to(SignatureRule.MAX_ACTOR, hold.placedBy()),
                hold.placedAtMs());
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    private static @Nullable String shortened(int mostChars, @Nullable String text) {
        return text == null ? null : Shortened.to(mostChars, text);
    }
}
