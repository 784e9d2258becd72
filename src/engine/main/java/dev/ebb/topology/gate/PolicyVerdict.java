package dev.ebb.topology.gate;

import dev.ebb.domain.Shortened;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.policy.SignatureRule;
import dev.ebb.domain.policy.change.PolicyChange;
import dev.ebb.domain.source.Source;
import dev.ebb.topology.wire.EbbHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Verdict of the policy gate on a record.
 *
 * @param record the record
 * @param policy the policy that it declares; null if it is something else
 * @param hold the hold that it declares; null if it is something else
 * @param settings the settings that it declares; null if it is something else
 * @param source the source that it declares; null if it is something else
 * @param rejection the reason why it is refused; null if it is not
 * @param waitsFor the reason why it must wait; null if it can be read
 */
record PolicyVerdict(
        GateRecord record,
        @Nullable RetentionPolicy policy,
        @Nullable Hold hold,
        @Nullable RetentionSettings settings,
        @Nullable Source source,
        @Nullable Rejection rejection,
        @Nullable Wait waitsFor) {

    static PolicyVerdict of(GateRecord record, RetentionPolicy policy) {
        return new PolicyVerdict(record, policy, null, null, null, null, null);
    }

    static PolicyVerdict of(GateRecord record, Hold hold) {
        return new PolicyVerdict(record, null, hold, null, null, null, null);
    }

    static PolicyVerdict of(GateRecord record, RetentionSettings settings) {
        return new PolicyVerdict(record, null, null, settings, null, null, null);
    }

    static PolicyVerdict of(GateRecord record, Source source) {
        return new PolicyVerdict(record, null, null, null, source, null, null);
    }

    /** Returns the verdict on a record that removes a policy or a source, or releases a hold. */
    static PolicyVerdict removal(GateRecord record) {
        return new PolicyVerdict(record, null, null, null, null, null, null);
    }

    static PolicyVerdict bad(GateRecord record, RejectReason reason, String detail) {
        return new PolicyVerdict(record, null, null, null, null, new Rejection(reason, detail), null);
    }

    static PolicyVerdict pending(GateRecord record, Wait waitsFor) {
        return new PolicyVerdict(record, null, null, null, null, null, waitsFor);
    }

    /** Returns true if the record may come into force. */
    boolean isGood() {
        return rejection == null && waitsFor == null;
    }

    /** Returns the change that a good record makes. */
    PolicyEdit edit() {
        return new PolicyEdit(key(), policy, hold, settings, source);
    }

    /** Returns the author of the change, from the record itself or else from its headers; empty if unknown. */
    String actor() {
        String said = policy != null ? policy.updatedBy() : hold != null ? hold.placedBy() : null;
        return said(said, EbbHeaders.ACTOR, SignatureRule.MAX_ACTOR);
    }

    private String reason() {
        String said = policy != null ? policy.reason() : hold != null ? hold.reason() : null;
        return said(said, EbbHeaders.REASON, SignatureRule.MAX_REASON);
    }

    private String said(@Nullable String inDeclaration, String header, int mostChars) {
        if (inDeclaration != null && !inDeclaration.isEmpty()) {
            return inDeclaration; // its length was checked when it was judged
        }
        String inHeader = record.header(header);
        return inHeader == null ? "" : Shortened.to(mostChars, inHeader);
    }

    /**
     * Returns the entry of the audit for the change that a good record makes.
     *
     * @param atMs time at which it comes into force, epoch milliseconds
     */
    PolicyChange change(String auditId, long version, long atMs) {
        return new PolicyChange(auditId, key(), version, policy, hold, source, actor(), reason(), atMs, false);
    }

    /** Returns the key of a good record. */
    PolicyKey key() {
        return record.policyKey();
    }
}
