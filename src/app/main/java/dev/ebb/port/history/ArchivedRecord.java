package dev.ebb.port.history;

import dev.ebb.domain.retention.ArchivedEvent;

/**
 * A deleted event as recorded on the archive topic.
 *
 * @param id place of the record
 * @param archived the event and the cause of its delete
 */
public record ArchivedRecord(RejectedRecord.Id id, ArchivedEvent archived) {}
