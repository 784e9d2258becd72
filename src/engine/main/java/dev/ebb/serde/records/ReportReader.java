package dev.ebb.serde.records;

import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import java.util.Optional;

/** A reader of audit records and reports of sweeps. Thread-safe. */
public interface ReportReader {

    /**
     * Returns an audit record; empty if the record is not one.
     *
     * @throws RegistryUnavailableException if its schema is not known yet; asking again later helps
     */
    Optional<AuditRecord> readAudit(byte[] value);

    /**
     * Returns a report of a sweep; empty if the record is not one.
     *
     * @throws RegistryUnavailableException if its schema is not known yet; asking again later helps
     */
    Optional<SweepReport> readReport(byte[] value);
}
