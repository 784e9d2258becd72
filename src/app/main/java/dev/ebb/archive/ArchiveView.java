package dev.ebb.archive;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.port.history.ArchivedRecord;
import dev.ebb.port.history.TimeRange;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A deleted event without its content, and the cause of its delete.
 *
 * @param record the place of the record on the archive topic
 * @param storedAt time at which the event was stored
 * @param completedAt time at which the event became terminal; null if it was protected
 * @param cause cause of the delete
 * @param scope the scope of the policy that caused the delete; empty if a command deleted the event
 * @param policyVersion the version of that policy; null if a command deleted the event
 * @param sweepId the sweep that deleted the event; null if none did
 * @param commandId the command that deleted the event; null if none did
 * @param bytes its size as counted against {@code maxBytes}
 */
public record ArchiveView(
        String record,
        String stream,
        String id,
        String type,
        @Nullable String status,
        long execution,
        Instant storedAt,
        @Nullable Instant occurredAt,
        @Nullable Instant completedAt,
        Instant deletedAt,
        String cause,
        String scope,
        @Nullable Long policyVersion,
        @Nullable String sweepId,
        @Nullable String commandId,
        long bytes) {

    /** Lists archived events. */
    public static final Read<Query, Page> LIST = new Read<>(
            "/v1/archive",
            "Lists archived events without their content, the last deleted first.",
            Query.class,
            Page.class);

    public static ArchiveView of(ArchivedRecord record) {
        ArchivedEvent archived = record.archived();
        StoredEvent stored = archived.event();
        Event event = stored.event();
        return new ArchiveView(
                record.id().toString(),
                event.stream().value(),
                event.id().value(),
                event.type(),
                event.status(),
                event.execution(),
                Instant.ofEpochMilli(stored.storedAt()),
                WireJson.time(event.occurredAt()),
                WireJson.time(event.completedAt()),
                Instant.ofEpochMilli(archived.deletedAtMs()),
                archived.cause().name(),
                archived.scope(),
                archived.policyVersion(),
                archived.sweepId(),
                archived.commandId(),
                stored.sizeBytes());
    }

    /** A selection of archived events. */
    public record Query(
            @Parameter("Stream of the events. Default: all.") @Nullable
            StreamName stream,

            @Parameter("Namespace of the events. Default: all.") @Nullable
            String namespace,

            @Parameter("Cause of the delete: {words}. Default: all.") @Nullable
            RemovalCause cause,

            @Parameter("Sweep or command that deleted the events. Default: all.") @Nullable
            String sweep,

            TimeRange time,
            int limit,
            @Nullable String after) {}

    /** One page, the last deleted first; {@code next} goes into {@code after} of the next request. */
    public record Page(List<ArchiveView> archived, @Nullable String next) {}
}
