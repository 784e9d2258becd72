package dev.ebb.serde.records;

import dev.ebb.serde.schemas.RegistryUnavailableException;
import java.util.Optional;

/** Reads what was reported. Thread-safe. */
public interface ReportReader {

    /**
     * An audit record; empty if it is none.
     *
     * @throws RegistryUnavailableException if its schema is not known yet; asking again later helps
     */
    Optional<AuditEntry> readAudit(byte[] value);

    /**
     * A report of a sweep; empty if it is none.
     *
     * @throws RegistryUnavailableException if its schema is not known yet; asking again later helps
     */
    Optional<SweepEntry> readReport(byte[] value);
}
