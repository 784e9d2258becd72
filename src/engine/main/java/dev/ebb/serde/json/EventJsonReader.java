package dev.ebb.serde.json;

import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.header.Headers;

/** Reads the values of records of the topic of events that are JSON. Stateless. */
public final class EventJsonReader {

    private EventJsonReader() {}

    /**
     * Returns the record of the value: an event, an update, an execution, or a CloudEvent.
     *
     * @throws UnreadableJsonException if the value is none of these
     */
    public static GenericRecord read(Headers headers, byte[] value, Defaults defaults) {
        String json = TopicJson.text(value);
        return CloudEvents.isStructured(headers, json)
                ? CloudEvents.structured(json)
                : EventObject.read(json, defaults);
    }
}
