package dev.ebb.serde.schemas;

import dev.ebb.domain.Snapshot;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How records become bytes.
 *
 * @param registryUrl where the schema registry is; several addresses are separated by commas
 * @param registry further settings of its client, each with the prefix {@value #PREFIX}
 * @param serializerClass name of a {@code Serializer<Object>} for Avro records; thread-safe
 * @param deserializerClass name of a {@code Deserializer<Object>} for Avro records; thread-safe
 */
public record AvroSettings(
        String registryUrl, Map<String, String> registry, String serializerClass, String deserializerClass) {

    public static final String PREFIX = "schema.registry.";
    public static final String URL = "schema.registry.url";
    public static final String SERIALIZER_CLASS = "avro.serializer.class";
    public static final String DESERIALIZER_CLASS = "avro.deserializer.class";

    private static final String DEFAULT_URL = "http://127.0.0.1:8081";

    public AvroSettings {
        registry = Snapshot.of(registry);
    }

    /** What these settings, among others, say; defaults for what they do not say. */
    public static AvroSettings of(Map<String, ?> settings) {
        Map<String, String> registry = settings.entrySet().stream()
                .filter(setting -> setting.getKey().startsWith(PREFIX)
                        && !setting.getKey().equals(URL)
                        && setting.getValue() != null)
                .collect(Collectors.toMap(
                        Map.Entry::getKey, setting -> setting.getValue().toString()));
        return new AvroSettings(
                text(settings, URL, DEFAULT_URL),
                registry,
                text(settings, SERIALIZER_CLASS, EbbAvroSerializer.class.getName()),
                text(settings, DESERIALIZER_CLASS, EbbAvroDeserializer.class.getName()));
    }

    private static String text(Map<String, ?> settings, String key, String defaultValue) {
        Object value = settings.get(key);
        return value == null || value.toString().isBlank()
                ? defaultValue
                : value.toString().strip();
    }
}
