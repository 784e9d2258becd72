package dev.ebb.serde.records;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.source.Source;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.text.HoldParser;
import dev.ebb.serde.text.ParsedHold;
import dev.ebb.serde.text.ParsedPolicy;
import dev.ebb.serde.text.ParsedSource;
import dev.ebb.serde.text.PolicyParser;
import dev.ebb.serde.text.SourceJson;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/** Policies and holds as Avro records and back. Stateless. */
final class PolicyRecords {

    private PolicyRecords() {}

    /** Returns the policy of these values by the names of the fields; the scope among them must equal the key. */
    static DecodedPolicy policy(String key, Map<String, Object> values) {
        ParsedPolicy parsed = PolicyParser.parse(values);
        Object scope = values.get("scope");
        if (scope != null && !scope.equals(key)) {
            parsed = parsed.and(
                    PolicyProblem.fault("scope", "is '" + scope + "', but the record's key is '" + key + "'"));
        }
        return parsed.policy().isPresent()
                ? new DecodedPolicy.Policy(parsed.policy().get())
                : new DecodedPolicy.Bad(new Rejection(RejectReason.BAD_POLICY, parsed.faults()));
    }

    /** Returns the hold of these values by the names of the fields; the case among them must be that of the key. */
    static DecodedPolicy hold(String key, Map<String, Object> values) {
        ParsedHold parsed = HoldParser.parse(values);
        Object caseId = values.get("case");
        if (caseId != null && !key.equals("hold:" + caseId)) {
            parsed = parsed.and(
                    PolicyProblem.fault("case", "is '" + caseId + "', but the record's key is '" + key + "'"));
        }
        return parsed.hold().isPresent()
                ? new DecodedPolicy.OfHold(parsed.hold().get())
                : new DecodedPolicy.Bad(new Rejection(RejectReason.BAD_POLICY, parsed.faults()));
    }

    /** Returns the source of a declaration in JSON, whose name must be that of the key. */
    static DecodedPolicy source(String key, byte[] value) {
        ParsedSource parsed = SourceJson.read(value);
        Source source = parsed.source().orElse(null);
        if (source == null) {
            String faults =
                    parsed.problems().stream().map(PolicyProblem::toString).collect(Collectors.joining("; "));
            return new DecodedPolicy.Bad(new Rejection(RejectReason.BAD_POLICY, faults));
        }
        return key.equals(PolicyKey.ofSource(source.name()).toString())
                ? new DecodedPolicy.OfSource(source)
                : new DecodedPolicy.Bad(new Rejection(
                        RejectReason.BAD_POLICY,
                        "name: is '" + source.name() + "', but the record's key is '" + key + "'"));
    }

    /** Returns the Avro record, with each field in its written form. */
    static GenericRecord record(RetentionPolicy policy) {
        GenericRecord avro = new GenericData.Record(EbbSchemas.RETENTION_POLICY);
        policy.written().forEach(avro::put);
        return avro;
    }

    static GenericRecord record(Hold hold) {
        GenericRecord avro = new GenericData.Record(EbbSchemas.HOLD);
        avro.put("case", hold.caseId());
        avro.put("covers", hold.covers().toString());
        avro.put("reason", hold.reason().isEmpty() ? null : hold.reason());
        avro.put("placedBy", hold.placedBy().isEmpty() ? null : hold.placedBy());
        avro.put("placedAt", hold.placedAtMs() == 0 ? null : hold.placedAtMs());
        return avro;
    }
}
