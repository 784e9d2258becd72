package dev.ebb.serde.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.Confirmation;
import dev.ebb.domain.policy.change.PolicyChange;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepPoint;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.serde.InMemorySchemaRegistry;
import dev.ebb.serde.schemas.EbbAvroDeserializer;
import dev.ebb.serde.schemas.WaitingSchemas;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records on the topics of audit and reports, as other programs find them. */
class ReportRecordsTest {

    private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();
    private final AvroRecords records = AvroRecords.of(registry);
    private final EbbAvroDeserializer reader = new EbbAvroDeserializer(new WaitingSchemas(registry));

    @BeforeEach
    void prepare() {
        records.prepare();
    }

    @AfterEach
    void close() {
        records.close();
    }

    @Test
    @Tag("O-3")
    void shouldWriteEveryFieldOfAnAuditRecord() {
        // given
        AuditRecord audit = new AuditRecord(
                        "a-1",
                        new Origin("s-1", "c-1", "anna", "why", "0/7"),
                        new StreamName("x"),
                        RemovalCause.MAX_AGE,
                        "*",
                        7,
                        List.of("1", "2"),
                        300,
                        10,
                        20,
                        30)
                .undoableUntil(40);

        // when
        GenericRecord read = read(records.audit(audit));

        // then
        assertThat(read).hasToString("""
                        {"auditId": "a-1", "action": "DELETE", "at": 30, "scope": "*", "sweepId": "s-1", \
                        "commandId": "c-1", "stream": "x", "cause": "MAX_AGE", "policyVersion": 7, "eventIds": ["1", "2"], "bytes": 300, \
                        "oldestAnchor": 10, "newestAnchor": 20, "policy": null, "actor": "anna", \
                        "reason": "why", "undoUntil": 40, "undoes": null, "total": null, "commandRecord": "0/7"}""");
    }

    @Test
    @Tag("O-3")
    void shouldWriteChangesOfPoliciesAndTheirRemoval() {
        // given
        RetentionPolicy policy =
                RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1000)).build();

        // when
        GenericRecord set = read(records.audit(AuditRecord.ofPolicyChange(
                new PolicyChange("a-2", PolicyKey.of(Scope.ALL), 9, policy, null, "anna", "why", 40, false), "{}")));
        GenericRecord removed = read(records.audit(AuditRecord.ofPolicyChange(
                new PolicyChange("a-3", PolicyKey.of(Scope.ALL), 10, null, null, "", "", 50, false), null)));

        // then
        assertThat(set.get("action")).hasToString("POLICY_SET");
        assertThat(set.get("policy")).hasToString("{}");
        assertThat(set.get("policyVersion")).isEqualTo(9L);
        assertThat(set.get("actor")).hasToString("anna");
        assertThat(set.get("reason")).hasToString("why");
        assertThat(set.get("stream")).isNull();
        assertThat(removed.get("action")).hasToString("POLICY_REMOVED");
        assertThat(removed.get("policy")).isNull();
    }

    @Test
    @Tag("O-8")
    void shouldWriteWhoLetAChangeThrough() {
        // given
        PolicyChange change = new PolicyChange("a-4", PolicyKey.ofHold("c"), 11, null, null, "anna", "over", 60, false);

        // when
        GenericRecord confirmed =
                read(records.audit(AuditRecord.ofPolicyChange(change.confirmed(new Confirmation("eva", "yes")), null)));

        // then
        assertThat(confirmed.get("auditId")).hasToString("a-4-confirmed");
        assertThat(confirmed.get("action")).hasToString("CONFIRMED");
        assertThat(confirmed.get("scope")).hasToString("hold:c");
        assertThat(confirmed.get("policyVersion")).isEqualTo(11L);
        assertThat(confirmed.get("actor")).hasToString("eva");
        assertThat(confirmed.get("reason")).hasToString("yes");
        assertThat(confirmed.get("policy")).isNull();
    }

    @Test
    void shouldWriteNoSweepWhereNoSweepDeleted() {
        // given
        AuditRecord audit = new AuditRecord(
                "a", Origin.REPLACEMENT, new StreamName("x"), RemovalCause.TTL, "event", -1, List.of("1"), 1, 1, 1, 1);

        // when / then
        assertThat(read(records.audit(audit)).get("sweepId")).isNull();
    }

    @Test
    @Tag("O-4")
    void shouldWriteEveryFieldOfASweepReport() {
        // when
        GenericRecord read = read(records.report(report(PolicyMode.ENFORCE)));

        // then
        assertThat(read).hasToString("""
                        {"sweepId": "s-1", "partition": 3, "trigger": "SCHEDULE", "sweepPoint": 100, \
                        "policyVersion": 7, "startedAt": 101, "completedAt": 109, "streamsProcessed": 2, \
                        "deleted": {"MAX_COUNT": {"events": 4, "bytes": 400}}, "wouldDelete": {}, \
                        "protectedEvents": 5, "heldEvents": 6, "mode": "enforce", "stoppedEarly": true, "commandId": null}""");
    }

    private static SweepReport report(PolicyMode mode) {
        return new SweepReport(
                "s-1",
                3,
                SweepReport.Trigger.SCHEDULE,
                new SweepPoint(100, 7),
                101,
                109,
                2,
                Map.of(RemovalCause.MAX_COUNT, new SweepReport.Tally(4, 400)),
                5,
                6,
                mode,
                true);
    }

    @Test
    @Tag("O-4")
    void shouldNameTheCommandThatAskedForASweep() {
        // given
        SweepReport report = new SweepReport(
                "c-1",
                3,
                SweepReport.Trigger.COMMAND,
                new SweepPoint(100, 7),
                101,
                109,
                2,
                Map.of(),
                5,
                6,
                PolicyMode.ENFORCE,
                true);

        // then
        assertThat(records.readReport(records.report(report)).orElseThrow().commandId())
                .isEqualTo("c-1");
    }

    @Test
    void shouldReadNothingFromWhatIsNoReport() {
        // given
        AuditRecord audit = new AuditRecord(
                "a", Origin.REPLACEMENT, new StreamName("x"), RemovalCause.TTL, "event", -1, List.of("1"), 1, 1, 1, 1);

        // then
        assertThat(records.readReport(records.audit(audit))).isEmpty();
        assertThat(records.readAudit(new byte[0])).isEmpty();
        assertThat(records.readAudit(new byte[] {0, 0, 0, 0, 1, 2})).isEmpty();
    }

    private GenericRecord read(byte[] bytes) {
        return (GenericRecord) reader.deserialize("any", bytes);
    }
}
