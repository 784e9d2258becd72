package dev.ebb.serde.records;

import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import java.util.Optional;

/** A reader of archived events. Thread-safe. */
public interface ArchiveReader {

    /**
     * Returns a deleted event; empty if the record is not one.
     *
     * @throws RegistryUnavailableException if its schema is not known yet; asking again later helps
     */
    Optional<ArchivedEvent> readArchived(byte[] value);
}
