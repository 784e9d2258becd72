package dev.ebb.wire.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.port.history.TimeRange;
import dev.ebb.wire.ShownAs;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
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

    /** Lists deletes and changes of policies. */
    public static final Read<Query, Page> LIST =
            new Read<>("/v1/audit", "Lists deletes and changes of policies, newest first.", Query.class, Page.class);

    /** Shows one record. */
    public static final Read<One, AuditView> SHOW = new Read<>(
            "/v1/audit/{id}",
            "Shows one audit record, with the ids of the deleted events.",
            One.class,
            AuditView.class);

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

    /** Actions by which records can be selected. */
    public enum Action {
        CHANGE,
        DELETE,
        RESTORE,
        DONE,
        ERASED,
        MIRROR_REPAIRED,
        USAGE_REPAIRED,
        LOG_RAISED,
        SOURCE_RESET,
        ROWS_REMOVED,
        POLICY_SET,
        POLICY_REMOVED,
        HOLD_PLACED,
        HOLD_RELEASED,
        SOURCE_SET,
        SOURCE_REMOVED,
        CONFIRMED
    }

    /** The id of one record. */
    public record One(@Parameter("Id of the audit record.") String id) {}

    /** A selection of records. */
    public record Query(
            @Parameter("Stream of the deletes. Default: all.") @Nullable
            String stream,

            @Parameter("Namespace of the deletes. Default: all.") @Nullable
            String namespace,

            @Parameter("Cause: {words}. Default: all.") @Nullable
            RemovalCause cause,

            @Parameter("Author of the change or command. Default: all.") @Nullable
            String actor,

            @Parameter("Sweep or command that deleted the events. Default: all.") @Nullable
            String sweep,

            @Parameter("Id of an event that was deleted, brought back or repaired. Default: all.") @Nullable
            String event,

            @Parameter(
                    value = "Scope of a policy, such as namespace:orders: the changes of this policy and the"
                            + " deletes that it caused. With @ and a version, only those of that version. Default:"
                            + " all.",
                    label = "SCOPE[@VERSION]")
            @Nullable
            String policy,

            @Parameter("Action: {words}. CHANGE is any change of a policy or hold. Default: all.") @Nullable
            Action action,

            TimeRange time,
            int limit,
            @Nullable String after) {}

    /** One page; {@code next} goes into {@code after} of the next request and is null on the last page. */
    public record Page(List<AuditView> audit, @Nullable String next) {}
}
