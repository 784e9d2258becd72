package dev.ebb.serde.schemas;

import dev.ebb.domain.event.Wait;
import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads Avro in Confluent's wire format as {@link org.apache.avro.generic.GenericRecord}s in the schema with which they
 * were written. For any Java program: configured by class name, it asks {@code schema.registry.url} for schemas on the
 * calling thread and caches them. Thread-safe once it is configured.
 */
public final class EbbAvroDeserializer implements Deserializer<Object>, SchemaQuestions {

    private @Nullable WriterSchemas schemas;

    /** Creates a deserializer that needs {@link #configure} before it can read. */
    public EbbAvroDeserializer() {}

    public EbbAvroDeserializer(WriterSchemas schemas) {
        this.schemas = schemas;
    }

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        if (schemas == null) {
            schemas = new WaitingSchemas(ConfluentSchemaRegistry.of(AvroSettings.of(configs)));
        }
    }

    /**
     * @return null for null
     * @throws SerializationException if the bytes are not a record in this wire format, or if its schema is not
     *     available
     */
    @Override
    public @Nullable Object deserialize(String topic, byte @Nullable [] data) {
        if (data == null) {
            return null;
        }
        if (schemas == null) {
            throw new IllegalStateException("configure this deserializer first");
        }
        int id = WireFormat.schemaId(data);
        if (id == WireFormat.NO_ID) {
            throw new SerializationException(
                    "it begins neither with { as JSON does, nor with a zero byte and a schema id as Avro does");
        }
        return WireFormat.read(data, schemas.reader(id));
    }

    @Override
    public @Nullable Wait stillWaits(Wait wait) {
        return schemas instanceof SchemaQuestions questions ? questions.stillWaits(wait) : null;
    }

    @Override
    public void askAgain(Wait wait) {
        if (schemas instanceof SchemaQuestions questions) {
            questions.askAgain(wait);
        }
    }

    @Override
    public void close() {
        if (schemas != null) {
            schemas.close();
        }
    }
}
