package dev.ebb.serde.schemas;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers the schemas of this version, and waits for a registry that is still starting. */
public final class AvroStart {

    private static final Logger LOG = LoggerFactory.getLogger(AvroStart.class);

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MAX_PAUSE_MS = 250;

    /**
     * Time for which a refusal of the registry does not count. A registry that is coming back, and has not yet read what
     * it holds, refuses schemas that it has; so does one in which another instance registers the same schema.
     */
    private static final Duration REFUSAL_PATIENCE = Duration.ofSeconds(10);

    private static final Map<Schema, SchemaRegistry.Compatibility> COMPATIBILITY = Map.of(
            EbbSchemas.EVENT, SchemaRegistry.Compatibility.BACKWARD_TRANSITIVE,
            EbbSchemas.EVENT_UPDATE, SchemaRegistry.Compatibility.BACKWARD_TRANSITIVE,
            EbbSchemas.EXECUTION_UPDATE, SchemaRegistry.Compatibility.BACKWARD_TRANSITIVE,
            EbbSchemas.RETENTION_POLICY, SchemaRegistry.Compatibility.FULL,
            EbbSchemas.COMMAND, SchemaRegistry.Compatibility.FULL);

    private final @Nullable SchemaRegistry registry;
    private final Duration patience;

    /** @param registry null if the serializer of another vendor handles its registry itself */
    public AvroStart(@Nullable SchemaRegistry registry) {
        this(registry, PATIENCE);
    }

    public AvroStart(@Nullable SchemaRegistry registry, Duration patience) {
        this.registry = registry;
        this.patience = patience;
    }

    /**
     * Writes and reads one record of each kind, so that any pair of serializer and deserializer knows its schema; then
     * requires the compatibility of the schemas.
     */
    public void run(Serializer<Object> serializer, Deserializer<?> deserializer) {
        long deadline = System.nanoTime() + patience.toNanos();
        for (Schema schema : EbbSchemas.all()) {
            retry(deadline, () -> {
                byte[] bytes = serializer.serialize(schema.getFullName(), sample(schema));
                deserializer.deserialize(schema.getFullName(), new RecordHeaders(), bytes);
            });
        }
        SchemaRegistry checked = registry;
        if (checked != null) {
            COMPATIBILITY.forEach((schema, level) -> retry(deadline, () -> require(checked, schema, level)));
        }
    }

    /** Requires a compatibility; accepts a registry that does not let this application set one. */
    private static void require(SchemaRegistry registry, Schema schema, SchemaRegistry.Compatibility level)
            throws IOException {
        try {
            registry.requireCompatibility(schema.getFullName(), level);
        } catch (SchemaRefusedException e) {
            LOG.atWarn()
                    .addKeyValue("subject", schema.getFullName())
                    .addKeyValue("compatibility", level)
                    .setCause(e)
                    .log("The schema registry does not let this application set a compatibility");
        }
    }

    private void retry(long deadline, Call call) {
        long refusedUntil = 0;
        for (int pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
            try {
                call.run();
                return;
            } catch (IOException | RuntimeException e) {
                if (refusedUntil == 0 && isRefusal(e)) {
                    refusedUntil =
                            System.nanoTime() + min(patience, REFUSAL_PATIENCE).toNanos();
                }
                boolean mayPass = isRefusal(e) && System.nanoTime() - refusedUntil < 0;
                giveUpOrPause(deadline, e, mayPass, pauseMs);
            }
        }
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static boolean isRefusal(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SchemaRefusedException) {
                return true;
            }
        }
        return false;
    }

    private void giveUpOrPause(long deadline, Exception failure, boolean mayPass, int pauseMs) {
        if (failure instanceof RuntimeException fatal && !mayPass && !ReadFailure.isTransient(fatal)) {
            throw fatal;
        }
        if (System.nanoTime() - deadline > 0) {
            throw new RegistryUnavailableException(
                    "the schema registry has not answered for " + patience.toSeconds() + " s: " + failure.getMessage(),
                    failure);
        }
        try {
            Thread.sleep(pauseMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegistryUnavailableException("interrupted while waiting for the schema registry", e);
        }
    }

    private static GenericRecord sample(Schema schema) {
        GenericRecord sample = new GenericData.Record(schema);
        for (Schema.Field field : schema.getFields()) {
            sample.put(field.pos(), empty(field.schema()));
        }
        return sample;
    }

    private static @Nullable Object empty(Schema schema) {
        return switch (schema.getType()) {
            case STRING -> "";
            case BYTES -> ByteBuffer.allocate(0);
            case INT -> 0;
            case LONG -> 0L;
            case BOOLEAN -> false;
            case ARRAY -> List.of();
            case MAP -> Map.of();
            case RECORD -> sample(schema);
            case UNION -> schema.isNullable() ? null : empty(schema.getTypes().get(0));
            default -> null;
        };
    }

    /** A call that fails while the registry is away. */
    private interface Call {
        void run() throws IOException;
    }
}
