package dev.ebb.serde.records;

import dev.ebb.serde.schemas.RegistryUnavailableException;
import java.util.Optional;

/** Reads audit records and reports of sweeps. Thread-safe. */
public interface ReportReader {

    /**
     * An audit record; empty if the record is not one.
     *
     * @throws RegistryUnavailableException if its schema is not known yet; asking again later helps
     */
    Optional<AuditEntry> readAudit(byte[] value);

    /**
     * A report of a sweep; empty if the record is not one.
     *
     * @throws RegistryUnavailableException if its schema is not known yet; asking again later helps
     */
    Optional<SweepEntry> readReport(byte[] value);
}
