package dev.ebb.serde.records;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.serde.json.CloudEvents;
import dev.ebb.serde.json.Defaults;
import dev.ebb.serde.json.EventJsonReader;
import dev.ebb.serde.json.PlainValues;
import dev.ebb.serde.json.RecordJson;
import dev.ebb.serde.json.UnreadableJsonException;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.schemas.RejectedException;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Makes values of the domain from records in JSON. Stateless. */
final class JsonTypes {

    private JsonTypes() {}

    /** @throws RejectedException if the value is not the JSON of an event, an update, an execution or a CloudEvent */
    static IndexedRecord event(RecordOrigin origin, Headers headers, byte[] value) {
        return checked(
                () -> EventJsonReader.read(headers, value, new Defaults(origin.keyText(), origin.firstPlace(headers))));
    }

    /** @throws RejectedException if the attributes are not those of an event */
    static IndexedRecord cloudEvent(Headers headers, byte @Nullable [] value) {
        return checked(() -> CloudEvents.binary(headers, value));
    }

    /** Returns the refusal of a batch, since a single event of it could not be rejected alone. */
    static RejectedException batch() {
        return new RejectedException(
                RejectReason.UNDECODABLE,
                "it is a batch of CloudEvents, but a record takes only one; send each event as a separate record");
    }

    /** @throws RejectedException if the value is not the JSON of a record with the schema */
    static IndexedRecord own(Schema schema, byte[] value) {
        return checked(() -> RecordJson.read(schema, value));
    }

    /** @throws RejectedException if the value is not a JSON object of plain values, or of a mark */
    static DecodedPolicy policy(String key, byte[] value) {
        if (key.equals(DecodedPolicy.MARK_KEY)) {
            return MarkRecords.MARK.read(own(EbbSchemas.GATE_MARK, value));
        }
        if (PolicyKey.looksLikeSource(key)) {
            return PolicyRecords.source(key, value);
        }
        Map<String, Object> values = values(value);
        if (key.equals(PolicyKey.SETTINGS.toString())) {
            return SettingsJson.read(values);
        }
        if (PolicyKey.looksLikeHold(key)) {
            values.putIfAbsent("case", key.substring(key.indexOf(':') + 1));
            return PolicyRecords.hold(key, values);
        }
        values.putIfAbsent("scope", key);
        return PolicyRecords.policy(key, values);
    }

    /** @throws RejectedException if the value is not a JSON object of plain values, or of an errand */
    static DecodedCommand command(RecordOrigin origin, Headers headers, byte[] value) {
        Map<String, Object> values = values(value);
        // Only Ebb itself sends errands; every command has a verb.
        if (values.containsKey("step") && !values.containsKey("verb")) {
            return new DecodedCommand.OfErrand(BoundRecords.ERRAND.read(own(EbbSchemas.ERRAND, value)));
        }
        String place = origin.firstPlace(headers);
        if (place != null) {
            values.putIfAbsent("commandId", place);
        }
        return CommandRecords.command(values);
    }

    private static Map<String, Object> values(byte[] value) {
        return checked(() -> PlainValues.read(value));
    }

    private static <T> T checked(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (UnreadableJsonException e) {
            throw new RejectedException(RejectReason.UNDECODABLE, e.messageWithPlace());
        }
    }
}
