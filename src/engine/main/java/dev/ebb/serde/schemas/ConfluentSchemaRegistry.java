package dev.ebb.serde.schemas;

import dev.ebb.domain.event.Wait;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.CachedSchemaRegistryClient;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.rest.RestService;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.rest.entities.SchemaReference;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.rest.entities.SchemaString;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;

/**
 * A registry with Confluent's API, through Confluent's own client, which Apache Flink republishes under its own names.
 * The only class that knows these names.
 */
public final class ConfluentSchemaRegistry implements SchemaRegistry {

    private static final int SCHEMA_NOT_FOUND = 40403;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int UNPROCESSABLE = 422;
    private static final int SERVER_ERROR = 500;

    /** Codes of the registry consist of the HTTP status and two digits. */
    private static final int CODES_OF_STATUS = 100;

    /** Timeouts; the client's own are a minute each, which is too long during a start. */
    private static final Map<String, String> DEFAULTS =
            Map.of("http.connect.timeout.ms", "3000", "http.read.timeout.ms", "10000");

    private final RestService rest;
    private final String url;

    private ConfluentSchemaRegistry(RestService rest, String url) {
        this.rest = rest;
        this.url = url;
    }

    /**
     * Returns a registry with these settings; connects to nothing yet. Credentials and TLS settings are those of the
     * client.
     */
    public static ConfluentSchemaRegistry of(AvroSettings settings) {
        RestService rest = new RestService(settings.registryUrl());
        // Only the constructor of the caching client passes TLS settings to the REST client below it.
        CachedSchemaRegistryClient configured = new CachedSchemaRegistryClient(rest, 1, clientSettings(settings));
        configured.reset();
        return new ConfluentSchemaRegistry(rest, settings.registryUrl());
    }

    /** Returns settings for the client, which expects TLS settings with the prefix and all others without it. */
    public static Map<String, String> clientSettings(AvroSettings settings) {
        Map<String, String> result = new HashMap<>(DEFAULTS);
        settings.registry().forEach((key, value) -> {
            result.put(key, value);
            result.put(key.substring(AvroSettings.PREFIX.length()), value);
        });
        return result;
    }

    @Override
    public Optional<String> find(int id) throws IOException {
        SchemaString found;
        try {
            found = rest.getId(id);
        } catch (RestClientException e) {
            // Another 404 comes from a wrong address or a proxy and says nothing about the schema.
            if (e.getErrorCode() == SCHEMA_NOT_FOUND) {
                return Optional.empty();
            }
            throw problem(e);
        }
        return Optional.of(selfContained(found));
    }

    private String selfContained(SchemaString found) throws IOException {
        try {
            return selfContained(found.getSchemaString(), found.getReferences());
        } catch (RestClientException e) {
            throw problem(e);
        } catch (RuntimeException e) {
            // Avro also throws exceptions of other kinds for references that cannot be resolved.
            throw new SchemaProblemException(
                    Wait.Kind.SCHEMA_UNUSABLE, "the schemas that it refers to cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public int register(String subject, String schema) throws IOException {
        try {
            return rest.registerSchema(schema, subject);
        } catch (RestClientException e) {
            throw refusalOrFailure("the schema of " + subject, e);
        }
    }

    @Override
    public void requireCompatibility(String subject, Compatibility compatibility) throws IOException {
        if (compatibility.name().equals(compatibilityOf(subject))) {
            return;
        }
        try {
            rest.updateCompatibility(compatibility.name(), subject);
        } catch (RestClientException e) {
            throw refusalOrFailure("the compatibility of " + subject, e);
        }
    }

    @Override
    public void close() {
        try {
            rest.close();
        } catch (IOException e) {
            throw new IllegalStateException("the registry client does not close", e);
        }
    }

    @Override
    public String toString() {
        return url;
    }

    private String compatibilityOf(String subject) throws IOException {
        try {
            return String.valueOf(rest.getConfig(subject).getCompatibilityLevel());
        } catch (RestClientException e) {
            return "unset";
        }
    }

    /** Returns the schema with all its references inlined. */
    private String selfContained(String schema, List<SchemaReference> references)
            throws IOException, RestClientException {
        if (references == null || references.isEmpty()) {
            return schema;
        }
        Map<String, String> parts = new LinkedHashMap<>();
        collect(references, parts);
        Schema.Parser parser = new Schema.Parser();
        parts.values().forEach(parser::parse);
        return parser.parse(schema).toString();
    }

    private void collect(List<SchemaReference> references, Map<String, String> parts)
            throws IOException, RestClientException {
        for (SchemaReference reference : references) {
            if (!parts.containsKey(reference.getName())) {
                var part = rest.getVersion(reference.getSubject(), reference.getVersion());
                collect(part.getReferences(), parts);
                parts.put(reference.getName(), part.getSchema());
            }
        }
    }

    private IOException failure(RestClientException e) {
        return new IOException("the schema registry at " + url + " answers " + reason(e), e);
    }

    /**
     * Distinguishes an outage, which ends by itself, from a fault that rarely does, and from one that the operator must
     * correct.
     */
    private IOException problem(RestClientException e) {
        if (e.getStatus() == UNAUTHORIZED || e.getStatus() == FORBIDDEN) {
            String message = "the schema registry at " + url + " does not allow it (" + reason(e)
                    + "); look at schema.registry.basic.auth.user.info and the rights of that user";
            return new SchemaProblemException(Wait.Kind.NOT_ALLOWED, message, e);
        }
        if (e.getStatus() == UNPROCESSABLE || isAboutSchema(e.getErrorCode())) {
            String message = "the schema registry at " + url + " cannot provide it completely: " + reason(e);
            return new SchemaProblemException(Wait.Kind.SCHEMA_UNUSABLE, message, e);
        }
        return failure(e);
    }

    /** Returns true if the code is one for a missing or an invalid schema. */
    private static boolean isAboutSchema(int code) {
        int status = code / CODES_OF_STATUS;
        return status == NOT_FOUND || status == UNPROCESSABLE;
    }

    private SchemaRefusedException refusalOrFailure(String what, RestClientException e) throws IOException {
        if (e.getStatus() >= SERVER_ERROR) {
            throw failure(e);
        }
        return new SchemaRefusedException("the schema registry at " + url + " refuses " + what + ": " + reason(e), e);
    }

    /**
     * Returns the message of the registry; an error without a code is not from Confluent's API, which always has a
     * code.
     */
    private static String reason(RestClientException e) {
        return e.getErrorCode() == 0
                ? "HTTP " + e.getStatus()
                        + ", and not as a registry does; is the path missing from schema.registry.url?"
                : String.valueOf(e.getMessage());
    }
}
