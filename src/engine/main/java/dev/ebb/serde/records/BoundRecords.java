package dev.ebb.serde.records;

import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandProgress;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.serde.schemas.EbbSchemas;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/** Audit records, reports, results and errands as Avro records and back; each kind reads the fields that it writes. */
final class BoundRecords {

    static final BoundRecord<AuditRecord> AUDIT =
            new BoundRecord<>(EbbSchemas.AUDIT_RECORD, BoundRecords::write, BoundRecords::audit);

    private static final BoundRecord<SweepReport.Tally> TALLY = new BoundRecord<>(
            EbbSchemas.SWEEP_REPORT.getField("deleted").schema().getValueType(),
            (tally, avro) -> {
                avro.put("events", tally.events());
                avro.put("bytes", tally.bytes());
            },
            fields -> new SweepReport.Tally(fields.givenNumber("events"), fields.givenNumber("bytes")));

    static final BoundRecord<SweepReport> REPORT =
            new BoundRecord<>(EbbSchemas.SWEEP_REPORT, BoundRecords::write, BoundRecords::report);

    static final BoundRecord<Errand> ERRAND =
            new BoundRecord<>(EbbSchemas.ERRAND, BoundRecords::write, BoundRecords::errand);

    private static final BoundRecord<CommandResult.Part> PART = new BoundRecord<>(
            EbbSchemas.COMMAND_RESULT.getField("parts").schema().getElementType(),
            BoundRecords::write,
            BoundRecords::part);

    private static final BoundRecord<CommandResult.Rest> REST = new BoundRecord<>(
            EbbSchemas.COMMAND_RESULT.getField("rest").schema().getElementType(),
            BoundRecords::write,
            BoundRecords::rest);

    static final BoundRecord<CommandResult> RESULT =
            new BoundRecord<>(EbbSchemas.COMMAND_RESULT, BoundRecords::write, BoundRecords::result);

    private BoundRecords() {}

    private static void write(AuditRecord audit, GenericRecord avro) {
        avro.put("auditId", audit.auditId());
        avro.put("action", audit.action());
        avro.put("at", audit.atMs());
        avro.put("scope", audit.scope());
        avro.put("sweepId", audit.sweepId());
        avro.put("commandId", audit.commandId());
        avro.put("stream", audit.stream());
        avro.put("cause", audit.cause());
        avro.put("policyVersion", audit.policyVersion());
        avro.put("eventIds", audit.eventIds());
        avro.put("bytes", audit.bytes());
        avro.put("oldestAnchor", audit.oldestAnchorMs());
        avro.put("newestAnchor", audit.newestAnchorMs());
        avro.put("policy", audit.policy());
        avro.put("actor", audit.actor());
        avro.put("reason", audit.reason());
        avro.put("undoUntil", audit.undoUntilMs());
        avro.put("undoes", audit.undoes());
        avro.put("total", audit.total());
        avro.put("commandRecord", audit.commandRecord());
    }

    private static AuditRecord audit(Fields fields) {
        return new AuditRecord(
                fields.givenText("auditId"),
                fields.givenText("action"),
                fields.givenNumber("at"),
                fields.givenText("scope"),
                fields.text("sweepId"),
                fields.text("commandId"),
                fields.text("stream"),
                fields.text("cause"),
                fields.number("policyVersion"),
                fields.elements("eventIds")
                        .map(id -> FieldValue.text("eventIds", id))
                        .toList(),
                fields.count("bytes"),
                fields.number("oldestAnchor"),
                fields.number("newestAnchor"),
                fields.text("policy"),
                fields.textOrEmpty("actor"),
                fields.textOrEmpty("reason"),
                fields.number("undoUntil"),
                fields.text("undoes"),
                fields.number("total"),
                fields.text("commandRecord"));
    }

    private static void write(SweepReport report, GenericRecord avro) {
        avro.put("sweepId", report.sweepId());
        avro.put("partition", report.partition());
        avro.put("trigger", report.trigger());
        avro.put("sweepPoint", report.sweepPointMs());
        avro.put("policyVersion", report.policyVersion());
        avro.put("startedAt", report.startedMs());
        avro.put("completedAt", report.completedMs());
        avro.put("streamsProcessed", report.streamsProcessed());
        avro.put("deleted", converted(report.deleted(), cause -> cause, TALLY::write));
        avro.put("wouldDelete", converted(report.wouldDelete(), cause -> cause, TALLY::write));
        avro.put("protectedEvents", report.protectedEvents());
        avro.put("heldEvents", report.heldEvents());
        avro.put("mode", report.mode());
        avro.put("stoppedEarly", report.isStoppedEarly());
        avro.put("commandId", report.commandId());
    }

    private static SweepReport report(Fields fields) {
        return new SweepReport(
                fields.givenText("sweepId"),
                fields.text("commandId"),
                Math.toIntExact(fields.givenNumber("partition")),
                fields.givenText("trigger"),
                fields.givenNumber("sweepPoint"),
                fields.givenNumber("policyVersion"),
                fields.givenNumber("startedAt"),
                fields.givenNumber("completedAt"),
                fields.givenNumber("streamsProcessed"),
                tallies(fields, "deleted"),
                tallies(fields, "wouldDelete"),
                fields.count("protectedEvents"),
                fields.count("heldEvents"),
                Objects.requireNonNullElse(fields.text("mode"), PolicyMode.ENFORCE.text()),
                fields.flag("stoppedEarly"));
    }

    private static Map<String, SweepReport.Tally> tallies(Fields fields, String name) {
        return converted(fields.map(name), String::valueOf, tally -> TALLY.read(name, tally));
    }

    private static void write(Errand errand, GenericRecord avro) {
        avro.put("commandId", errand.commandId());
        avro.put("step", errand.step().name());
        avro.put("sender", errand.sender());
        avro.put("body", errand.body());
    }

    private static Errand errand(Fields fields) {
        return new Errand(
                fields.givenText("commandId"),
                FieldValue.constant(Errand.Step.class, "step", fields.given("step")),
                Math.toIntExact(fields.givenNumber("sender")),
                fields.givenText("body"));
    }

    private static void write(CommandResult.Part part, GenericRecord avro) {
        avro.put("stream", part.stream());
        avro.put("cause", part.cause().name());
        avro.put("events", part.events());
        avro.put("bytes", part.bytes());
    }

    private static CommandResult.Part part(Fields fields) {
        return new CommandResult.Part(
                fields.givenText("stream"),
                FieldValue.constant(RemovalCause.class, "cause", fields.given("cause")),
                fields.givenNumber("events"),
                fields.givenNumber("bytes"));
    }

    private static void write(CommandResult.Rest rest, GenericRecord avro) {
        avro.put("namespace", rest.namespace());
        avro.put("cause", rest.cause().name());
        avro.put("events", rest.events());
        avro.put("bytes", rest.bytes());
    }

    private static CommandResult.Rest rest(Fields fields) {
        return new CommandResult.Rest(
                fields.givenText("namespace"),
                FieldValue.constant(RemovalCause.class, "cause", fields.given("cause")),
                fields.givenNumber("events"),
                fields.givenNumber("bytes"));
    }

    private static void write(CommandResult result, GenericRecord avro) {
        Refusal refusal = result.refusal();
        avro.put("commandId", result.commandId());
        avro.put("verb", result.verb());
        avro.put("state", result.state().name());
        avro.put("startedAt", result.startedMs());
        avro.put("updatedAt", result.updatedMs());
        avro.put("refusal", refusal == null ? null : refusal.name());
        avro.put("detail", result.detail());
        avro.put("dryRun", result.isDryRun());
        write(result.counts(), avro);
        avro.put("wouldDelete", result.wouldDelete());
        avro.put("wouldDeleteBytes", result.wouldDeleteBytes());
        avro.put("parts", result.parts().stream().map(PART::write).toList());
        avro.put("partsLeftOut", result.partsLeftOut());
        avro.put("rest", result.rest().stream().map(REST::write).toList());
        avro.put("sweepPoint", result.sweepPointMs());
        avro.put("policyVersion", result.policyVersion());
        ListedFields.write(result.plan(), avro);
        ReturnFields.write(result.undo(), avro);
        CommandProgress progress = result.progress();
        avro.put("workDone", progress == null ? null : progress.done());
        avro.put("workTotal", progress == null ? null : progress.total());
        avro.put("fingerprint", result.fingerprint());
    }

    private static void write(CommandCounts counts, GenericRecord avro) {
        avro.put("streamsProcessed", counts.streamsProcessed());
        avro.put("streamsDeleted", counts.streamsDeleted());
        avro.put("executionsDeleted", counts.executionsDeleted());
        avro.put("eventsDeleted", counts.eventsDeleted());
        avro.put("protectedEventsDeleted", counts.protectedEventsDeleted());
        avro.put("bytesDeleted", counts.bytesDeleted());
        avro.put("streamsSkipped", converted(counts.streamsSkipped(), Refusal::name, streams -> streams));
        avro.put("rowsSent", counts.rowsSent());
        avro.put("rowsRemoved", counts.rowsRemoved());
        avro.put("recordsDropped", counts.recordsDropped());
    }

    private static CommandResult result(Fields fields) {
        Object refusal = fields.get("refusal");
        return new CommandResult(
                fields.givenText("commandId"),
                fields.givenText("verb"),
                FieldValue.constant(CommandResult.State.class, "state", fields.given("state")),
                refusal == null ? null : FieldValue.constant(Refusal.class, "refusal", refusal),
                fields.textOrEmpty("detail"),
                fields.flag("dryRun"),
                counts(fields),
                fields.elements("parts").map(part -> PART.read("parts", part)).toList(),
                fields.count("partsLeftOut"),
                fields.elements("rest").map(rest -> REST.read("rest", rest)).toList(),
                fields.number("sweepPoint"),
                fields.number("policyVersion"),
                ListedFields.read(fields),
                ReturnFields.read(fields),
                progress(fields),
                fields.givenNumber("startedAt"),
                fields.givenNumber("updatedAt"),
                fields.textOrEmpty("fingerprint"));
    }

    private static @Nullable CommandProgress progress(Fields fields) {
        Long done = fields.number("workDone");
        Long total = fields.number("workTotal");
        return done == null || total == null ? null : new CommandProgress(done, total);
    }

    private static CommandCounts counts(Fields fields) {
        return new CommandCounts(
                fields.count("streamsProcessed"),
                fields.count("streamsDeleted"),
                fields.count("executionsDeleted"),
                fields.count("eventsDeleted"),
                fields.count("protectedEventsDeleted"),
                fields.count("bytesDeleted"),
                skipped(fields),
                fields.count("rowsSent"),
                fields.count("rowsRemoved"),
                fields.count("recordsDropped"),
                warned(fields, "wouldDelete", "eventsDeleted"),
                warned(fields, "wouldDeleteBytes", "bytesDeleted"));
    }

    /**
     * Returns the part of a count that mode {@code warn} kept; at least 0, since a former version wrote neither count.
     */
    private static long warned(Fields fields, String wouldDelete, String deleted) {
        return Math.max(0, fields.count(wouldDelete) - (fields.flag("dryRun") ? fields.count(deleted) : 0));
    }

    private static Map<Refusal, Long> skipped(Fields fields) {
        String name = "streamsSkipped";
        return converted(
                fields.map(name),
                refusal -> FieldValue.constant(Refusal.class, name, refusal),
                streams -> Objects.requireNonNull(FieldValue.number(name, streams)));
    }

    private static <K, V, L, W> Map<L, W> converted(
            Map<? extends K, ? extends V> map, Function<K, L> key, Function<V, W> value) {
        Map<L, W> result = new HashMap<>();
        map.forEach((name, part) -> result.put(key.apply(name), value.apply(part)));
        return result;
    }
}
