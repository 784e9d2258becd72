package dev.ebb.serde.records;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.serde.schemas.EbbSchemas;
import java.util.Map;

/** Records of the domain that are written as they are. */
final class BoundRecords {

    static final RecordBinder<AuditRecord> AUDIT = new RecordBinder<>(AuditRecord.class, EbbSchemas.AUDIT_RECORD);

    static final RecordBinder<SweepReport> REPORT = new RecordBinder<>(SweepReport.class, EbbSchemas.SWEEP_REPORT);

    static final RecordBinder<Errand> ERRAND = new RecordBinder<>(Errand.class, EbbSchemas.ERRAND);

    static final RecordBinder<CommandResult> RESULT = new RecordBinder<>(
            CommandResult.class,
            EbbSchemas.COMMAND_RESULT,
            Map.of(
                    "warnedEvents", fields -> warned(fields, "wouldDelete", "eventsDeleted"),
                    "warnedBytes", fields -> warned(fields, "wouldDeleteBytes", "bytesDeleted")));

    private BoundRecords() {}

    /** The part of a count that mode {@code warn} kept; at least 0, since a former version wrote neither count. */
    private static long warned(Fields fields, String wouldDelete, String deleted) {
        boolean isDryRun = Boolean.TRUE.equals(fields.truth("dryRun"));
        return Math.max(0, fields.count(wouldDelete) - (isDryRun ? fields.count(deleted) : 0));
    }
}
