package dev.ebb.serde.json;

import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/** Writes {@link GenericRecord}s of {@code schemas/} as JSON, where there is no registry. Thread-safe. */
public final class JsonSerializer implements Serializer<Object> {

    /** @return null for null */
    @Override
    public byte @Nullable [] serialize(String topic, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        if (!(value instanceof GenericRecord avro)) {
            throw new SerializationException(
                    "can write Avro records only, not a " + value.getClass().getName());
        }
        return RecordJson.write(avro);
    }
}
