package dev.ebb.serde.records;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.schemas.RejectedException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Events, their updates and updates of executions as Avro records and back. Stateless. */
public final class EventRecords {

    private static final byte[] NO_PAYLOAD = new byte[0];

    private EventRecords() {}

    /** @throws RejectedException if its fields, names or own TTL break the rules */
    public static Event event(IndexedRecord avro, FieldMap map) {
        return event(new Fields(avro, map, EbbSchemas.EVENT));
    }

    private static Event event(Fields fields) {
        byte[] payload = FieldValue.bytes("payload", fields.get("payload"));
        return new Event(
                stream(fields),
                id(fields),
                fields.textOrEmpty("type"),
                fields.text("status"),
                fields.number("occurredAt"),
                fields.number("completedAt"),
                ownTtl(fields),
                fields.count("execution"),
                fields.text("correlationId"),
                Objects.requireNonNullElse(fields.texts("metadata"), Map.of()),
                fields.text("contentType"),
                payload == null ? NO_PAYLOAD : payload);
    }

    /** @throws RejectedException if its fields, names or own TTL break the rules */
    static ArchivedEvent archived(IndexedRecord avro, FieldMap map) {
        Fields fields = new Fields(avro, map, EbbSchemas.ARCHIVED_EVENT);
        Event event = event(fields);
        return new ArchivedEvent(
                new StoredEvent(event, fields.count("storedAt"), 0, event.completedAt() == null),
                fields.count("deletedAt"),
                RemovalCause.valueOf(String.valueOf(fields.text("cause"))),
                fields.textOrEmpty("scope"),
                fields.number("policyVersion"),
                fields.text("sweepId"),
                fields.text("commandId"));
    }

    /** @throws RejectedException if its fields, names or own TTL break the rules */
    public static EventUpdate update(IndexedRecord avro, FieldMap map) {
        Fields fields = new Fields(avro, map, EbbSchemas.EVENT_UPDATE);
        return new EventUpdate(
                stream(fields),
                id(fields),
                fields.text("status"),
                fields.number("completedAt"),
                isTtlNamed(fields) ? ownTtl(fields) : null,
                fields.texts("metadata"));
    }

    /** @throws RejectedException if its fields or names break the rules */
    public static ExecutionUpdate execution(IndexedRecord avro, FieldMap map) {
        Fields fields = new Fields(avro, map, EbbSchemas.EXECUTION_UPDATE);
        Long execution = fields.number("execution");
        if (execution == null) {
            throw new RejectedException(RejectReason.BAD_EXECUTION, "it names no execution");
        }
        // A missing status never finishes an execution.
        return new ExecutionUpdate(
                stream(fields),
                execution,
                emptyToNull(fields.text("status")),
                parent(fields),
                fields.number("startedAt"),
                fields.number("completedAt"));
    }

    static GenericRecord record(Event event) {
        GenericRecord avro = new GenericData.Record(EbbSchemas.EVENT);
        putEvent(avro, event);
        return avro;
    }

    static GenericRecord record(ArchivedEvent archived) {
        StoredEvent stored = archived.event();
        GenericRecord avro = new GenericData.Record(EbbSchemas.ARCHIVED_EVENT);
        putEvent(avro, stored.event());
        avro.put("storedAt", stored.storedAt());
        avro.put("deletedAt", archived.deletedAtMs());
        avro.put("cause", archived.cause().name());
        avro.put("scope", archived.scope());
        avro.put("policyVersion", archived.policyVersion());
        avro.put("sweepId", archived.sweepId());
        avro.put("commandId", archived.commandId());
        return avro;
    }

    static GenericRecord record(ExecutionUpdate update) {
        StreamName parent = update.parent();
        GenericRecord avro = new GenericData.Record(EbbSchemas.EXECUTION_UPDATE);
        avro.put("stream", update.stream().value());
        avro.put("execution", update.execution());
        avro.put("status", update.status());
        avro.put("parent", parent == null ? null : parent.value());
        avro.put("startedAt", update.startedAt());
        avro.put("completedAt", update.completedAt());
        return avro;
    }

    private static void putEvent(GenericRecord avro, Event event) {
        avro.put("stream", event.stream().value());
        avro.put("id", event.id().value());
        avro.put("type", event.type());
        avro.put("status", event.status());
        avro.put("occurredAt", event.occurredAt());
        avro.put("completedAt", event.completedAt());
        avro.put("ttlSeconds", event.ttl().ttlSeconds());
        avro.put("noExpiration", event.ttl().noExpiration());
        avro.put("expiresAt", event.ttl().expiresAt());
        avro.put("execution", event.execution());
        avro.put("correlationId", event.correlationId());
        avro.put("metadata", event.metadata());
        avro.put("contentType", event.contentType());
        avro.put("payload", ByteBuffer.wrap(event.payload()));
    }

    static GenericRecord record(EventUpdate update) {
        GenericRecord avro = new GenericData.Record(EbbSchemas.EVENT_UPDATE);
        avro.put("stream", update.stream().value());
        avro.put("id", update.id().value());
        avro.put("status", update.status());
        avro.put("completedAt", update.completedAt());
        avro.put("metadata", update.metadata());
        OwnTtl ttl = update.ttl();
        if (ttl != null) {
            avro.put("ttlSeconds", ttl.ttlSeconds());
            avro.put("noExpiration", ttl.noExpiration());
            avro.put("expiresAt", ttl.expiresAt());
        }
        return avro;
    }

    private static StreamName stream(Fields fields) {
        String name = fields.text("stream");
        if (name == null || name.isEmpty()) {
            throw new RejectedException(RejectReason.NO_STREAM, "it names no stream");
        }
        return streamName(name);
    }

    private static @Nullable StreamName parent(Fields fields) {
        String name = emptyToNull(fields.text("parent"));
        return name == null ? null : streamName(name);
    }

    private static StreamName streamName(String name) {
        try {
            return new StreamName(name);
        } catch (IllegalArgumentException e) {
            throw rejected(RejectReason.BAD_NAME, e);
        }
    }

    private static @Nullable String emptyToNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private static EventId id(Fields fields) {
        String id = fields.text("id");
        if (id == null || id.isEmpty()) {
            throw new RejectedException(RejectReason.NO_ID, "it names no event id");
        }
        try {
            return new EventId(id);
        } catch (IllegalArgumentException e) {
            throw rejected(RejectReason.BAD_NAME, e);
        }
    }

    private static boolean isTtlNamed(Fields fields) {
        return fields.get("ttlSeconds") != null
                || fields.get("noExpiration") != null
                || fields.get("expiresAt") != null;
    }

    private static OwnTtl ownTtl(Fields fields) {
        try {
            return OwnTtl.of(fields.number("ttlSeconds"), fields.number("expiresAt"), fields.flag("noExpiration"));
        } catch (IllegalArgumentException e) {
            throw rejected(RejectReason.BAD_TTL, e);
        }
    }

    private static RejectedException rejected(RejectReason reason, IllegalArgumentException e) {
        return new RejectedException(reason, String.valueOf(e.getMessage()));
    }
}
