package dev.ebb.serde.records;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.serde.schemas.EbbSchemas;

/** Audit records, reports, results and errands as Avro records and back, each as its components say. */
final class BoundRecords {

    static final BoundRecord<AuditRecord> AUDIT = Components.of(AuditRecord.class, EbbSchemas.AUDIT_RECORD);
    static final BoundRecord<SweepReport> REPORT = Components.of(SweepReport.class, EbbSchemas.SWEEP_REPORT);
    static final BoundRecord<Errand> ERRAND = Components.of(Errand.class, EbbSchemas.ERRAND);
    static final BoundRecord<CommandResult> RESULT = Components.of(CommandResult.class, EbbSchemas.COMMAND_RESULT);

    private BoundRecords() {}
}
