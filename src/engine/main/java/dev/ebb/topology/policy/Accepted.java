package dev.ebb.topology.policy;

import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.source.Source;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.topology.wire.EbbHeaders;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Record of the topic of accepted policies.
 *
 * @param key the scope, {@code hold:<case>}, or {@link DecodedPolicy#MARK_KEY}
 * @param value the bytes; null removes
 * @param decoded the decoded value; null until the bytes have been read, and for a removal
 * @param offset its offset on that topic
 * @param timestampMs its Kafka timestamp
 */
public record Accepted(
        String key,
        byte @Nullable [] value,
        @Nullable DecodedPolicy decoded,
        long offset,
        long timestampMs,
        Headers headers) {

    /**
     * Returns the version of the record, which is its offset if no gate has written it. The settings of the first start
     * come from no record of the topic of policies, so they have no version.
     */
    public long version() {
        return headers.lastHeader(EbbHeaders.POLICY_VERSION) == null ? offset : reflectedOffset();
    }

    /** Returns the newest offset of the topic of policies that the record reflects; -1 for none. */
    long reflectedOffset() {
        return EbbHeaders.number(headers, EbbHeaders.POLICY_VERSION, -1);
    }

    Accepted with(@Nullable DecodedPolicy read) {
        return new Accepted(key, value, read, offset, timestampMs, headers);
    }

    /** Returns true if the record was never read because its key was set anew before the record could be read. */
    boolean isUnread() {
        return value != null && decoded == null;
    }

    boolean isGood() {
        return isOfPolicy()
                && (value == null || policy() != null || hold() != null || settings() != null || source() != null);
    }

    /**
     * Returns true if the key is one that the gate writes; other keys can be neither set anew nor lifted, so nothing
     * waits for them.
     */
    boolean isOfGate() {
        return key.equals(DecodedPolicy.MARK_KEY) || isOfPolicy();
    }

    boolean isOfPolicy() {
        try {
            PolicyKey.parse(key);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    public @Nullable RetentionPolicy policy() {
        return decoded instanceof DecodedPolicy.Policy policy ? policy.policy() : null;
    }

    public @Nullable RetentionSettings settings() {
        return decoded instanceof DecodedPolicy.OfSettings settings ? settings.settings() : null;
    }

    private @Nullable Source source() {
        return decoded instanceof DecodedPolicy.OfSource source ? source.source() : null;
    }

    /** Returns the change that a good record makes. */
    PolicyEdit edit() {
        return new PolicyEdit(PolicyKey.parse(key), policy(), hold(), settings(), source());
    }

    public @Nullable Hold hold() {
        return decoded instanceof DecodedPolicy.OfHold hold ? hold.hold() : null;
    }
}
