package dev.ebb.topology.gate;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.source.Source;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.serde.text.SourceJson;
import dev.ebb.topology.policy.Signature;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Judge of the records of the topic of policies: whether they can mean something (M-11). Not thread-safe. */
final class PolicyJudge {

    private final RecordReader reader;
    private final GateStore store;

    PolicyJudge(RecordReader reader, GateStore store) {
        this.reader = reader;
        this.store = store;
    }

    PolicyVerdict judge(GateRecord record) {
        String ofNumbers = record.problemOfNumbers();
        if (ofNumbers != null) {
            return PolicyVerdict.bad(record, RejectReason.BAD_POLICY, ofNumbers);
        }
        DecodedPolicy decoded = record.declaration(reader);
        if (decoded == null) {
            return ofRemoval(record);
        }
        if (decoded instanceof DecodedPolicy.Policy policy) {
            return PolicyVerdict.of(record, Signature.shortened(policy.policy()));
        }
        if (decoded instanceof DecodedPolicy.OfHold hold) {
            return ofHold(record, hold.hold());
        }
        if (decoded instanceof DecodedPolicy.OfSettings settings) {
            return PolicyVerdict.of(record, settings.settings());
        }
        if (decoded instanceof DecodedPolicy.OfSource source) {
            return ofSource(record, source.source());
        }
        if (decoded instanceof DecodedPolicy.Pending pending) {
            return PolicyVerdict.pending(record, pending.waitsFor());
        }
        Rejection rejection = decoded instanceof DecodedPolicy.Bad bad
                ? bad.rejection()
                : new Rejection(RejectReason.WRONG_TYPE, "this record type is no policy");
        return PolicyVerdict.bad(record, rejection.reason(), rejection.detail());
    }

    private static PolicyVerdict ofRemoval(GateRecord record) {
        try {
            PolicyKey key = record.policyKey();
            return key.scope() == null && !key.isHold() && !key.isSource()
                    ? PolicyVerdict.bad(record, RejectReason.BAD_POLICY, "'" + key + "' cannot be removed")
                    : PolicyVerdict.removal(record);
        } catch (IllegalArgumentException e) {
            return PolicyVerdict.bad(record, RejectReason.BAD_POLICY, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the verdict on a hold. Only a release ends a hold (M-18), so it cannot come to cover something else. */
    private PolicyVerdict ofHold(GateRecord record, Hold hold) {
        DecodedPolicy inForce = inForce(hold.key());
        if (inForce instanceof DecodedPolicy.Pending pending) {
            return PolicyVerdict.pending(record, pending.waitsFor());
        }
        Hold before = inForce instanceof DecodedPolicy.OfHold known ? known.hold() : null;
        if (before != null && !before.covers().equals(hold.covers())) {
            return PolicyVerdict.bad(
                    record,
                    RejectReason.BAD_POLICY,
                    "covers: the case '" + hold.caseId() + "' covers " + before.covers()
                            + "; release it first, or place another case");
        }
        return PolicyVerdict.of(
                record, Signature.shortened(hold.placed("", record.input().timestampMs())));
    }

    /** Returns the verdict on a source. Two sources in one stream would replace what belongs to the other (F-4). */
    private PolicyVerdict ofSource(GateRecord record, Source source) {
        List<Source> others = store.acceptedSources().stream()
                .map(SourceJson::read)
                .flatMap(parsed -> parsed.source().stream())
                .filter(other -> !other.name().equals(source.name()))
                .toList();
        if (others.size() >= Source.MAX_SOURCES) {
            String detail = "name: there are " + others.size() + " sources already, the most that may be";
            return PolicyVerdict.bad(record, RejectReason.BAD_POLICY, detail);
        }
        for (Source other : others) {
            String clash = source.clashWith(other);
            if (clash != null) {
                return PolicyVerdict.bad(record, RejectReason.BAD_POLICY, "stream: " + clash);
            }
        }
        return PolicyVerdict.of(record, source);
    }

    private @Nullable DecodedPolicy inForce(PolicyKey key) {
        byte[] value = store.accepted(key);
        return value == null ? null : reader.readPolicy(key.toString(), value);
    }
}
