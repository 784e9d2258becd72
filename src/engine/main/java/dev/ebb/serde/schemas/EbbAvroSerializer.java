package dev.ebb.serde.schemas;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@link GenericRecord}s as Avro in Confluent's wire format. For any Java program: the first record of a schema
 * registers it at {@code schema.registry.url}, on the calling thread, under the full name of the record. Thread-safe
 * once it is configured.
 */
public final class EbbAvroSerializer implements Serializer<Object> {

    private final Map<Schema, Integer> ids = new ConcurrentHashMap<>();
    private @Nullable SchemaRegistry registry;

    /** Creates a serializer that needs {@link #configure} before it can write. */
    public EbbAvroSerializer() {}

    public EbbAvroSerializer(SchemaRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        if (registry == null) {
            registry = ConfluentSchemaRegistry.of(AvroSettings.of(configs));
        }
    }

    /**
     * @return null for null
     * @throws SerializationException if the value is not a {@link GenericRecord}, or if its schema cannot be registered
     */
    @Override
    public byte @Nullable [] serialize(String topic, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        if (!(value instanceof GenericRecord avro)) {
            throw new SerializationException(
                    "can write Avro records only, not a " + value.getClass().getName());
        }
        return WireFormat.write(id(avro.getSchema()), avro);
    }

    @Override
    public void close() {
        if (registry != null) {
            registry.close();
        }
    }

    private int id(Schema schema) {
        Integer id = ids.get(schema);
        return id != null ? id : ids.computeIfAbsent(schema, this::register);
    }

    private int register(Schema schema) {
        if (registry == null) {
            throw new IllegalStateException("configure this serializer first");
        }
        try {
            return registry.register(schema.getFullName(), schema.toString());
        } catch (IOException e) {
            throw new SerializationException("the schema registry does not answer: " + e.getMessage(), e);
        }
    }
}
