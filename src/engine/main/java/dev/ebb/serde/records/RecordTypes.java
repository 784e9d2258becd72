package dev.ebb.serde.records;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.schemas.RejectedException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** Distinguishes Avro records by their types, and makes values of the domain from them. Thread-safe. */
final class RecordTypes {

    private final Map<Schema, FieldMap> maps = new ConcurrentHashMap<>();

    /** @throws RejectedException if the value is not an Avro record */
    static IndexedRecord avro(Deserializer<?> deserializer, String topic, Headers headers, byte @Nullable [] value) {
        if (value == null) {
            throw new RejectedException(RejectReason.UNDECODABLE, "the record has no value");
        }
        if (deserializer.deserialize(topic, headers, value) instanceof IndexedRecord avro) {
            return avro;
        }
        throw new RejectedException(RejectReason.WRONG_TYPE, "it is not an Avro record");
    }

    static boolean isA(Schema ours, IndexedRecord avro) {
        return FieldMap.isSameType(ours, avro.getSchema());
    }

    Decoded event(IndexedRecord avro) {
        if (isA(EbbSchemas.EVENT, avro)) {
            return new Decoded.OfEvent(EventRecords.event(avro, map(EbbSchemas.EVENT, avro)));
        }
        if (isA(EbbSchemas.EVENT_UPDATE, avro)) {
            return new Decoded.OfUpdate(EventRecords.update(avro, map(EbbSchemas.EVENT_UPDATE, avro)));
        }
        if (isA(EbbSchemas.EXECUTION_UPDATE, avro)) {
            return new Decoded.OfExecution(EventRecords.execution(avro, map(EbbSchemas.EXECUTION_UPDATE, avro)));
        }
        throw wrongType(avro, "dev.ebb.Event, dev.ebb.EventUpdate or dev.ebb.ExecutionUpdate");
    }

    DecodedPolicy policy(String key, IndexedRecord avro) {
        if (key.equals(DecodedPolicy.MARK_KEY)) {
            return MarkRecords.MARK.read(typed(EbbSchemas.GATE_MARK, avro));
        }
        return PolicyKey.looksLikeHold(key)
                ? PolicyRecords.hold(key, values(EbbSchemas.HOLD, avro))
                : PolicyRecords.policy(key, values(EbbSchemas.RETENTION_POLICY, avro));
    }

    DecodedCommand command(IndexedRecord avro) {
        return isA(EbbSchemas.ERRAND, avro)
                ? new DecodedCommand.OfErrand(BoundRecords.ERRAND.read(avro))
                : CommandRecords.command(values(EbbSchemas.COMMAND, avro));
    }

    static DecodedResult result(IndexedRecord avro) {
        return new DecodedResult.Good(BoundRecords.RESULT.read(typed(EbbSchemas.COMMAND_RESULT, avro)));
    }

    ArchivedEvent archived(IndexedRecord avro) {
        return EventRecords.archived(avro, map(EbbSchemas.ARCHIVED_EVENT, avro));
    }

    private Map<String, Object> values(Schema ours, IndexedRecord avro) {
        return map(ours, typed(ours, avro)).values(ours, avro);
    }

    /** @throws RejectedException if the record is not of the type of Ebb's schema */
    private static IndexedRecord typed(Schema ours, IndexedRecord avro) {
        if (!isA(ours, avro)) {
            throw wrongType(avro, ours.getFullName());
        }
        return avro;
    }

    /**
     * Returns the cached map of fields. Avro treats schemas that differ only in aliases as equal, so a hit must be
     * checked.
     */
    private FieldMap map(Schema ours, IndexedRecord avro) {
        Schema theirs = avro.getSchema();
        FieldMap map = maps.get(theirs);
        if (map == null || !map.isFor(theirs)) {
            map = FieldMap.of(ours, theirs);
            maps.put(theirs, map);
        }
        return map;
    }

    private static RejectedException wrongType(IndexedRecord avro, String wanted) {
        return new RejectedException(
                RejectReason.WRONG_TYPE, "it is a " + avro.getSchema().getFullName() + ", and must be a " + wanted);
    }
}
