package dev.ebb.wire.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.wire.ShownAs;
import dev.ebb.wire.WireJson;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An audit record as it is shown.
 *
 * @param events number of deleted events
 * @param undoUntil the time from which the deletes can no longer be undone; null if they are final
 * @param undoes the sweep or command whose deletes were undone
 * @param total number of all events that the command has deleted or brought back, at its end
 * @param eventIds ids of these events; left out in lists
 */
public record AuditView(
        String auditId,
        String action,
        Instant at,
        String scope,
        @Nullable Long policyVersion,
        @Nullable String stream,
        @Nullable String cause,
        long events,
        long bytes,
        @Nullable Instant oldestAnchor,
        @Nullable Instant newestAnchor,
        @Nullable String sweepId,
        @Nullable String commandId,
        String actor,
        String reason,
        @Nullable @ShownAs("Policy") JsonNode policy,
        @Nullable Instant undoUntil,
        @Nullable String undoes,
        @Nullable Long total,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> eventIds) {

    public static AuditView withIds(AuditRecord entry) {
        return of(entry, entry.eventIds());
    }

    public static AuditView withoutIds(AuditRecord entry) {
        return of(entry, null);
    }

    private static AuditView of(AuditRecord entry, @Nullable List<String> ids) {
        return new AuditView(
                entry.auditId(),
                entry.action(),
                Instant.ofEpochMilli(entry.atMs()),
                entry.scope(),
                entry.policyVersion(),
                entry.stream(),
                entry.cause(),
                entry.eventIds().size(),
                entry.bytes(),
                WireJson.time(entry.oldestAnchorMs()),
                WireJson.time(entry.newestAnchorMs()),
                entry.sweepId(),
                entry.commandId(),
                entry.actor(),
                entry.reason(),
                policy(entry.policy()),
                WireJson.time(entry.undoUntilMs()),
                entry.undoes(),
                entry.total(),
                ids);
    }

    private static @Nullable JsonNode policy(@Nullable String text) {
        return text == null ? null : WireJson.read(text.getBytes(StandardCharsets.UTF_8), JsonNode.class);
    }

    /** One page; {@code next} goes into {@code after} of the next request and is null on the last page. */
    public record Page(List<AuditView> audit, @Nullable String next) {}
}
