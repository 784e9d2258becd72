package dev.ebb.serde.schemas;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DatumReader;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** Schemas for programs that may wait: an unknown id is requested on the calling thread. */
public final class WaitingSchemas implements WriterSchemas {

    private final SchemaRegistry registry;
    private final Map<Integer, DatumReader<GenericRecord>> known = new ConcurrentHashMap<>();

    public WaitingSchemas(SchemaRegistry registry) {
        this.registry = registry;
    }

    @Override
    public DatumReader<GenericRecord> reader(int id) {
        @Nullable DatumReader<GenericRecord> reader = known.get(id);
        return reader != null ? reader : known.computeIfAbsent(id, this::ask);
    }

    @Override
    public void close() {
        registry.close();
    }

    private DatumReader<GenericRecord> ask(int id) {
        try {
            String text = registry.find(id).orElseThrow(() -> new UnknownSchemaException(id));
            return WriterSchema.reader(id, text);
        } catch (IOException e) {
            throw new SerializationException("the schema registry does not answer: " + e.getMessage(), e);
        }
    }
}
