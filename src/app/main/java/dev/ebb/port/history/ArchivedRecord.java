package dev.ebb.port.history;

import dev.ebb.domain.retention.ArchivedEvent;

/**
 * A deleted event, as it lies on the archive topic.
 *
 * @param id where it lies
 * @param archived what it was, and why it went
 */
public record ArchivedRecord(RejectedRecord.Id id, ArchivedEvent archived) {}
