package dev.ebb.serde.mirror;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.serde.text.PolicyJson;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Writes the keys and rows of the mirror topics: the one canonical writer, so that the key of an upsert and the key of
 * its tombstone are the same bytes. Fields and types are those of the schemas in {@code config/connect/debezium}. Thread-safe.
 */
public final class MirrorRows {

    private static final String DELETE = "DELETE";
    private static final String ERASURE = "ERASE";
    private static final String POLICY_CHANGE = "POLICY";
    private static final String HOLD_CHANGE = "HOLD";
    private static final String CONFIRMATION = "CONFIRMATION";
    private static final String REPAIR = "REPAIR";
    private static final String ROWS = "ROWS";

    // Reused: growing a new buffer for each event costs more than writing the event.
    private final ThreadLocal<JsonRow> rows = ThreadLocal.withInitial(JsonRow::new);
    private final boolean hasEvents;

    /** Creates a writer of all rows. */
    public MirrorRows() {
        this(true);
    }

    /** @param hasEvents false if the rows of events are not to be sent, since the sink makes them from the log */
    public MirrorRows(boolean hasEvents) {
        this.hasEvents = hasEvents;
    }

    /** Returns true if the rows of events are to be sent. */
    public boolean hasEvents() {
        return hasEvents;
    }

    /** Returns an empty row, even if the last row was abandoned halfway. */
    private JsonRow row() {
        return rows.get().clear();
    }

    /**
     * Returns the key of an event's row.
     *
     * @param storedAt the {@code storedAt} of the event, epoch milliseconds
     */
    public byte[] eventKey(long storedAt, String stream, String id) {
        return identity(storedAt, stream, id).toBytes();
    }

    /**
     * Returns the key of a row that may have been made by hand: the bytes of an event's key, if an event could have
     * this key.
     */
    public byte[] eventKey(Instant storedAt, String stream, String id) {
        return row().anyTime(Name.STORED_AT, storedAt)
                .text(Name.STREAM, stream)
                .text(Name.EVENT_ID, id)
                .toBytes();
    }

    /** Returns the row of an event. */
    public byte[] eventRow(StoredEvent stored) {
        Event event = stored.event();
        return identity(stored.storedAt(), event.stream().value(), event.id().value())
                .text(Name.NAMESPACE, event.stream().namespace())
                .text(Name.TYPE, event.type())
                .text(Name.STATUS, event.status())
                .truth(Name.TERMINAL, !stored.isProtected())
                .time(Name.OCCURRED_AT, event.occurredAt())
                .time(Name.COMPLETED_AT, event.completedAt())
                .number(Name.TTL_SECONDS, event.ttl().ttlSeconds())
                .truth(Name.NO_EXPIRATION, event.ttl().noExpiration())
                .time(Name.EXPIRES_AT, event.ttl().expiresAt())
                .number(Name.EXECUTION, event.execution())
                .text(Name.CORRELATION_ID, event.correlationId())
                .text(Name.CONTENT_TYPE, event.contentType())
                .object(Name.METADATA, event.metadata())
                .bytes(Name.PAYLOAD, event.payload())
                .number(Name.SIZE_BYTES, stored.sizeBytes())
                .toBytes();
    }

    private JsonRow identity(long storedAt, String stream, String id) {
        return row().time(Name.STORED_AT, storedAt).text(Name.STREAM, stream).text(Name.EVENT_ID, id);
    }

    /** Returns the key of an execution's row. */
    public byte[] executionKey(StreamName stream, long execution) {
        return execution(stream, execution).toBytes();
    }

    /**
     * Returns the row of a declared execution.
     *
     * @param parent the parent of its stream; null if none is known
     */
    public byte[] executionRow(StreamName stream, Execution execution, @Nullable StreamName parent) {
        return execution(stream, execution.number())
                .text(Name.STATUS, execution.status())
                .truth(Name.TERMINAL, execution.isTerminal())
                .text(Name.PARENT, parent == null ? null : parent.value())
                .time(Name.STARTED_AT, execution.startedAt())
                .time(Name.COMPLETED_AT, execution.completedAt())
                .toBytes();
    }

    private JsonRow execution(StreamName stream, long execution) {
        return row().text(Name.STREAM, stream.value()).number(Name.EXECUTION, execution);
    }

    /** Returns the key of a policy's row. */
    public byte[] policyKey(Scope scope) {
        return row().text(Name.SCOPE, scope.toString()).toBytes();
    }

    /**
     * Returns the row of a policy.
     *
     * @param policy the contribution of its scope to the policies in force: the record over the built-in values
     * @param version the version of the record; null if there is none
     * @param builtIn true if only the built-in values are in force
     * @param updatedAtMs the time at which it came into force, epoch milliseconds
     */
    public byte[] policyRow(RetentionPolicy policy, @Nullable Long version, boolean builtIn, long updatedAtMs) {
        JsonRow row = row().text(Name.SCOPE, policy.scope().toString())
                .number(Name.VERSION, version)
                .truth(Name.BUILT_IN, builtIn);
        RetentionPolicy filled = policy.toBuilder().enabled(policy.isEnabled()).build();
        PolicyField.ALL.forEach(field -> column(row, field, filled));
        return row.time(Name.UPDATED_AT, updatedAtMs)
                .json(Name.POLICY, PolicyJson.write(policy).toString())
                .toBytes();
    }

    private static <T> void column(JsonRow row, PolicyField<T> field, RetentionPolicy policy) {
        T value = policy.get(field);
        if (value != null) {
            row.value(JsonRow.name(field.column()), field.type().toColumn(value));
        }
    }

    /** Returns the key of an audit row. */
    public byte[] auditKey(String id) {
        return row().text(Name.AUDIT_ID, id).toBytes();
    }

    /** Returns the row of an audit record. */
    public byte[] auditRow(AuditRecord audit) {
        String kind = kind(audit.action());
        JsonRow row = subject(audit, kind);
        boolean isOfEvents = kind.equals(DELETE) || kind.equals(AuditRecord.RESTORE);
        if (isOfEvents || audit.action().equals(AuditRecord.MIRROR_REPAIRED)) {
            row.array(Name.EVENT_IDS, audit.eventIds());
        }
        return row.number(Name.EVENTS, isOfEvents ? audit.eventIds().size() : rowsGone(audit))
                .number(Name.BYTES, audit.bytes())
                .time(Name.OLDEST_ANCHOR, audit.oldestAnchorMs())
                .time(Name.NEWEST_ANCHOR, audit.newestAnchorMs())
                .time(Name.DELETED_AT, audit.atMs())
                .text(Name.ACTOR, orNull(audit.actor()))
                .text(Name.REASON, orNull(audit.reason()))
                .json(Name.POLICY, audit.policy())
                .toBytes();
    }

    private static long rowsGone(AuditRecord audit) {
        Long total = audit.action().equals(AuditRecord.ROWS_REMOVED) ? audit.total() : null;
        return total == null ? 0 : total;
    }

    private JsonRow subject(AuditRecord audit, String kind) {
        Long version = audit.policyVersion();
        return row().text(Name.AUDIT_ID, audit.auditId())
                .text(Name.KIND, kind)
                .text(Name.SWEEP_ID, audit.sweepId())
                .text(Name.COMMAND_ID, audit.commandId())
                .text(Name.STREAM, audit.stream())
                .text(Name.CAUSE, audit.cause())
                .text(Name.SCOPE, kind.equals(REPAIR) ? null : audit.scope())
                .number(Name.POLICY_VERSION, version == null || version < 0 ? null : version);
    }

    private static String kind(String action) {
        return switch (action) {
            case AuditRecord.DELETE -> DELETE;
            case AuditRecord.MIRROR_REPAIRED, AuditRecord.USAGE_REPAIRED -> REPAIR;
            case AuditRecord.LOG_RAISED, AuditRecord.SOURCE_RESET -> action;
            case AuditRecord.ROWS_REMOVED -> ROWS;
            case AuditRecord.ERASED -> ERASURE;
            case AuditRecord.RESTORE -> AuditRecord.RESTORE;
            case "CONFIRMED" -> CONFIRMATION;
            default -> action.startsWith("HOLD_") ? HOLD_CHANGE : POLICY_CHANGE;
        };
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** The columns, as the bytes that begin a field. */
    private static final class Name {
        static final byte[] STORED_AT = JsonRow.name("stored_at");
        static final byte[] STREAM = JsonRow.name("stream");
        static final byte[] EVENT_ID = JsonRow.name("event_id");
        static final byte[] NAMESPACE = JsonRow.name("namespace");
        static final byte[] TYPE = JsonRow.name("type");
        static final byte[] STATUS = JsonRow.name("status");
        static final byte[] TERMINAL = JsonRow.name("terminal");
        static final byte[] OCCURRED_AT = JsonRow.name("occurred_at");
        static final byte[] COMPLETED_AT = JsonRow.name("completed_at");
        static final byte[] TTL_SECONDS = JsonRow.name("ttl_seconds");
        static final byte[] NO_EXPIRATION = JsonRow.name("no_expiration");
        static final byte[] EXPIRES_AT = JsonRow.name("expires_at");
        static final byte[] EXECUTION = JsonRow.name("execution");
        static final byte[] PARENT = JsonRow.name("parent");
        static final byte[] STARTED_AT = JsonRow.name("started_at");
        static final byte[] CORRELATION_ID = JsonRow.name("correlation_id");
        static final byte[] CONTENT_TYPE = JsonRow.name("content_type");
        static final byte[] METADATA = JsonRow.name("metadata");
        static final byte[] PAYLOAD = JsonRow.name("payload");
        static final byte[] SIZE_BYTES = JsonRow.name("size_bytes");
        static final byte[] SCOPE = JsonRow.name("scope");
        static final byte[] VERSION = JsonRow.name("version");
        static final byte[] BUILT_IN = JsonRow.name("built_in");
        static final byte[] REASON = JsonRow.name("reason");
        static final byte[] UPDATED_AT = JsonRow.name("updated_at");
        static final byte[] POLICY = JsonRow.name("policy");
        static final byte[] AUDIT_ID = JsonRow.name("audit_id");
        static final byte[] KIND = JsonRow.name("kind");
        static final byte[] SWEEP_ID = JsonRow.name("sweep_id");
        static final byte[] COMMAND_ID = JsonRow.name("command_id");
        static final byte[] CAUSE = JsonRow.name("cause");
        static final byte[] POLICY_VERSION = JsonRow.name("policy_version");
        static final byte[] ACTOR = JsonRow.name("actor");
        static final byte[] EVENT_IDS = JsonRow.name("event_ids");
        static final byte[] EVENTS = JsonRow.name("events");
        static final byte[] BYTES = JsonRow.name("bytes");
        static final byte[] OLDEST_ANCHOR = JsonRow.name("oldest_anchor");
        static final byte[] NEWEST_ANCHOR = JsonRow.name("newest_anchor");
        static final byte[] DELETED_AT = JsonRow.name("deleted_at");
    }
}
