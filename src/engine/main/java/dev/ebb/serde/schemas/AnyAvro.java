package dev.ebb.serde.schemas;

import dev.ebb.domain.event.Wait;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Reads values of any Avro type in Confluent's wire format, as other applications write them: keys are often plain texts
 * or numbers. An unknown schema is requested on the calling thread. Thread-safe.
 */
public final class AnyAvro implements AutoCloseable {

    /** A schema may be registered after its first record: the answer that there is none counts for so long. */
    private static final long FORGET_NS = Duration.ofSeconds(10).toNanos();

    /** Maximum number of ids to remember of which the registry has none, against a flood of invented ids. */
    private static final int MAX_UNKNOWN = 10_000;

    private final SchemaRegistry registry;
    private final Map<Integer, Schema> known = new ConcurrentHashMap<>();
    private final Map<Integer, Long> unknown = new ConcurrentHashMap<>();

    /**
     * A value with the schema with which it was written.
     *
     * @param schema the schema
     * @param datum the value in Avro's generic form, with texts as strings; null for Avro's null
     */
    public record Value(Schema schema, @Nullable Object datum) {}

    /** @param registry closed with this object */
    public AnyAvro(SchemaRegistry registry) {
        this.registry = registry;
    }

    /**
     * Returns the value of these bytes.
     *
     * @throws SerializationException if the bytes are no value in this format; its message names no value
     * @throws RegistryUnavailableException if the registry does not answer; asking again may help
     */
    public Value read(byte[] bytes) {
        int id = WireFormat.schemaId(bytes);
        if (id == WireFormat.NO_ID) {
            throw new SerializationException(
                    "does not begin with a zero byte and the id of a schema, as Avro does here");
        }
        Schema schema = schema(id);
        WireDecoder decoder = new WireDecoder(bytes, WireFormat.HEADER_BYTES);
        Object datum;
        try {
            datum = new GenericDatumReader<>(schema, schema, new GenericData()).read(null, decoder);
        } catch (IOException | AvroRuntimeException | IndexOutOfBoundsException | StackOverflowError e) {
            throw new SerializationException("does not fit the schema " + id, e);
        }
        if (decoder.remaining() > 0) {
            throw new SerializationException(
                    "has " + decoder.remaining() + " bytes too many behind a value of the schema " + id);
        }
        return new Value(schema, datum);
    }

    private Schema schema(int id) {
        Schema schema = known.get(id);
        return schema != null ? schema : ask(id);
    }

    private Schema ask(int id) {
        Long since = unknown.get(id);
        if (since == null || System.nanoTime() - since > FORGET_NS) {
            try {
                String text = registry.find(id).orElse(null);
                if (text != null) {
                    unknown.remove(id);
                    return known.computeIfAbsent(id, same -> WriterSchema.ofStrings(id, text));
                }
            } catch (IOException e) {
                throw new RegistryUnavailableException(Wait.of(Wait.SCHEMA + id)
                        .because(SchemaProblemException.kindOf(e), String.valueOf(e.getMessage())));
            }
            remember(id);
        }
        throw new SerializationException("names the schema " + id + ", which the registry does not have");
    }

    private void remember(int id) {
        if (unknown.size() >= MAX_UNKNOWN) {
            unknown.clear();
        }
        unknown.put(id, System.nanoTime());
    }

    @Override
    public void close() {
        registry.close();
    }
}
