package dev.ebb.serde.records;

import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.change.PolicyChange;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.MirrorRepair;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.domain.retention.UsageRepair;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.text.HoldJson;
import dev.ebb.serde.text.PolicyJson;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Audit records and sweep reports as Avro records. Stateless. */
public final class ReportRecords {

    private static final Schema TALLY =
            EbbSchemas.SWEEP_REPORT.getField("deleted").schema().getValueType();

    private ReportRecords() {}

    static GenericRecord record(AuditRecord deletes) {
        GenericRecord avro = audit(deletes.auditId(), "DELETE", deletes.deletedAtMs(), deletes.scope());
        avro.put("sweepId", orNull(deletes.origin().sweepId()));
        avro.put("commandId", orNull(deletes.origin().commandId()));
        avro.put("actor", deletes.origin().actor());
        avro.put("reason", deletes.origin().reason());
        avro.put("stream", deletes.stream().value());
        avro.put("cause", deletes.cause().name());
        avro.put("policyVersion", deletes.policyVersion());
        avro.put("eventIds", deletes.eventIds());
        avro.put("bytes", deletes.bytes());
        avro.put("oldestAnchor", deletes.oldestAnchorMs());
        avro.put("newestAnchor", deletes.newestAnchorMs());
        return avro;
    }

    static GenericRecord record(PolicyChange change) {
        GenericRecord avro = audit(
                change.auditId(),
                change.action().name(),
                change.changedAtMs(),
                change.key().toString());
        avro.put("policyVersion", change.version());
        avro.put("policy", json(change));
        avro.put("actor", change.actor());
        avro.put("reason", change.reason());
        return avro;
    }

    static GenericRecord record(MirrorRepair repair) {
        GenericRecord avro = audit(repair.auditId(), "MIRROR_REPAIRED", repair.atMs(), "command");
        avro.put("commandId", repair.origin().commandId());
        avro.put("actor", repair.origin().actor());
        avro.put("reason", repair.origin().reason());
        avro.put("stream", repair.stream().value());
        avro.put("eventIds", repair.eventIds());
        return avro;
    }

    static GenericRecord record(UsageRepair repair) {
        GenericRecord avro = audit(repair.auditId(), "USAGE_REPAIRED", repair.atMs(), "usage");
        avro.put("reason", repair.detail());
        avro.put("stream", repair.stream().value());
        return avro;
    }

    /** The policy or hold in force now, as people write it; null if it was removed. */
    public static @Nullable String json(PolicyChange change) {
        RetentionPolicy policy = change.policy();
        Hold hold = change.hold();
        if (hold != null) {
            return HoldJson.write(hold).toString();
        }
        return policy == null ? null : PolicyJson.write(policy).toString();
    }

    static GenericRecord record(SweepReport report) {
        GenericRecord avro = new GenericData.Record(EbbSchemas.SWEEP_REPORT);
        avro.put("sweepId", report.sweepId());
        avro.put("partition", report.partition());
        avro.put("trigger", report.trigger().name());
        avro.put("sweepPoint", report.point().nowMs());
        avro.put("policyVersion", report.point().policyVersion());
        avro.put("startedAt", report.startedMs());
        avro.put("completedAt", report.completedMs());
        avro.put("streamsProcessed", report.streamsProcessed());
        avro.put("deleted", records(report.deleted()));
        avro.put("wouldDelete", records(report.wouldDelete()));
        avro.put("protectedEvents", report.protectedEvents());
        avro.put("heldEvents", report.heldEvents());
        avro.put("mode", report.mode().text());
        avro.put("stoppedEarly", report.isStoppedEarly());
        avro.put("commandId", report.commandId());
        return avro;
    }

    private static Map<String, GenericRecord> records(Map<RemovalCause, Tally> tallies) {
        Map<String, GenericRecord> records = new HashMap<>();
        tallies.forEach((cause, tally) -> records.put(cause.name(), record(tally)));
        return records;
    }

    static AuditEntry audit(IndexedRecord avro) {
        NamedFields fields = new NamedFields(avro);
        return new AuditEntry(
                fields.text("auditId"),
                fields.text("action"),
                fields.number("at"),
                fields.text("scope"),
                fields.find("sweepId"),
                fields.find("commandId"),
                fields.find("stream"),
                fields.find("cause"),
                fields.findNumber("policyVersion"),
                fields.texts("eventIds"),
                fields.number("bytes"),
                fields.findNumber("oldestAnchor"),
                fields.findNumber("newestAnchor"),
                fields.find("policy"),
                fields.text("actor"),
                fields.text("reason"));
    }

    static SweepEntry report(IndexedRecord avro) {
        NamedFields fields = new NamedFields(avro);
        Map<String, Tally> deleted = tallies(fields, "deleted");
        Map<String, Tally> wouldDelete = tallies(fields, "wouldDelete");
        boolean isOfFormerVersion = wouldDelete.isEmpty() && fields.text("mode").equals(PolicyMode.WARN.text());
        return new SweepEntry(
                fields.text("sweepId"),
                fields.find("commandId"),
                (int) fields.number("partition"),
                fields.text("trigger"),
                fields.number("sweepPoint"),
                fields.number("policyVersion"),
                fields.number("startedAt"),
                fields.number("completedAt"),
                fields.number("streamsProcessed"),
                isOfFormerVersion ? Map.of() : deleted,
                isOfFormerVersion ? deleted : wouldDelete,
                fields.number("protectedEvents"),
                fields.number("heldEvents"),
                fields.text("mode"),
                fields.truth("stoppedEarly"));
    }

    private static Map<String, Tally> tallies(NamedFields fields, String name) {
        Map<String, Tally> tallies = new HashMap<>();
        fields.records(name)
                .forEach(
                        (cause, tally) -> tallies.put(cause, new Tally(tally.number("events"), tally.number("bytes"))));
        return tallies;
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static GenericRecord record(Tally tally) {
        GenericRecord avro = new GenericData.Record(TALLY);
        avro.put("events", tally.events());
        avro.put("bytes", tally.bytes());
        return avro;
    }

    /** An audit record with the fields that all have; the other fields have their defaults. */
    private static GenericRecord audit(String auditId, String action, long atMs, String scope) {
        GenericRecord avro = new GenericData.Record(EbbSchemas.AUDIT_RECORD);
        avro.put("auditId", auditId);
        avro.put("action", action);
        avro.put("at", atMs);
        avro.put("scope", scope);
        avro.put("eventIds", List.of());
        avro.put("bytes", 0L);
        avro.put("actor", "");
        avro.put("reason", "");
        return avro;
    }
}
