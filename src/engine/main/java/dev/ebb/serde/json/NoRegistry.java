package dev.ebb.serde.json;

import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** The deserializer of Avro without a registry, which can read nothing. */
public final class NoRegistry implements Deserializer<Object> {

    /** @throws SerializationException unless the value is null */
    @Override
    public @Nullable Object deserialize(String topic, byte @Nullable [] data) {
        if (data == null) {
            return null;
        }
        throw new SerializationException("it is not a JSON object, and without a registry (schema.registry.url is"
                + " empty) nothing else can be read");
    }
}
