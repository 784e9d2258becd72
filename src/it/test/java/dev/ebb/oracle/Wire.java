package dev.ebb.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.util.Utf8;

/**
 * Reads records in Confluent's wire format with the schemas of the registry, and records that are JSON. Not thread-safe.
 */
final class Wire {

    private static final int HEADER_BYTES = 5;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<Integer, Optional<Schema>> schemas = new HashMap<>();
    private final URI registry;

    /** @param registry the schema registry; null if there is none */
    Wire(URI registry) {
        this.registry = registry;
    }

    /** A record of the topic of events: an event, an update or an execution; null if the bytes are none of them. */
    GenericRecord readInput(byte[] bytes) {
        if (!PlainRecords.isObject(bytes)) {
            return read(bytes);
        }
        JsonNode object = PlainRecords.object(bytes);
        if (object == null) {
            return null;
        }
        if (object.has("update") && !object.path("update").isBoolean()) {
            return null;
        }
        boolean isUpdate = object.path("update").booleanValue();
        boolean isExecution = object.has("execution") && !object.has("id");
        Schema schema = Schemas.of(isUpdate ? Intake.UPDATE : isExecution ? Intake.EXECUTION : Intake.EVENT);
        GenericRecord record = PlainRecords.read(object, schema);
        return record != null && PlainRecords.isAll(object, schema, "update") ? record : null;
    }

    /** A record of the topic whose records are of these schemas; JSON is of the first of them that fits. */
    GenericRecord read(byte[] bytes, String... schemas) {
        if (!PlainRecords.isObject(bytes)) {
            return read(bytes);
        }
        JsonNode object = PlainRecords.object(bytes);
        return object == null
                ? null
                : Arrays.stream(schemas)
                        .map(name -> PlainRecords.read(object, Schemas.of(name)))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    /** The record as our schema of its name shows it; null if the bytes are none. */
    private GenericRecord read(byte[] bytes) {
        if (registry == null || bytes == null || bytes.length < HEADER_BYTES || bytes[0] != 0) {
            return null;
        }
        Optional<Schema> writer = schemas.computeIfAbsent(ByteBuffer.wrap(bytes).getInt(1), this::fetch);
        return writer.isEmpty() ? null : read(bytes, writer.get());
    }

    private static GenericRecord read(byte[] bytes, Schema writer) {
        BinaryDecoder decoder =
                DecoderFactory.get().binaryDecoder(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES, null);
        try {
            GenericRecord record =
                    new GenericDatumReader<GenericRecord>(writer, Schemas.of(writer.getName())).read(null, decoder);
            return decoder.isEnd() && isText(record) ? record : null;
        } catch (IOException | AvroRuntimeException | IllegalStateException e) {
            return null;
        }
    }

    /** Avro decodes bytes that are no UTF-8 without a word. */
    private static boolean isText(GenericRecord record) {
        return record.getSchema().getFields().stream()
                .map(field -> record.get(field.pos()))
                .flatMap(value -> value instanceof Map<?, ?> map
                        ? Stream.concat(map.keySet().stream(), map.values().stream())
                        : Stream.of(Optional.ofNullable(value).orElse("")))
                .noneMatch(value -> value instanceof Utf8 text && !isUtf8(text));
    }

    private static boolean isUtf8(Utf8 text) {
        return Arrays.equals(text.toString().getBytes(UTF_8), Arrays.copyOf(text.getBytes(), text.getByteLength()));
    }

    private Optional<Schema> fetch(int id) {
        try {
            var request = HttpRequest.newBuilder(
                            URI.create(registry.toString().replaceAll("/$", "") + "/schemas/ids/" + id))
                    .build();
            var answer = http.send(request, BodyHandlers.ofString(UTF_8));
            if (answer.statusCode() == 404) {
                return Optional.empty();
            }
            if (answer.statusCode() != 200) {
                throw new IOException("the registry answers " + answer.statusCode());
            }
            return Optional.of(new Schema.Parser()
                    .parse(Json.parse(answer.body()).path("schema").textValue()));
        } catch (IOException e) {
            throw new IllegalStateException("schema " + id + " of " + registry, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
