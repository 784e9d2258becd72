package dev.ebb.serde.schemas;

import dev.ebb.domain.Snapshot;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the conversion between records and bytes.
 *
 * @param registryUrl the address of the schema registry; several addresses are separated by commas; empty for none
 * @param registry further settings of its client, each with the prefix {@value #PREFIX}
 * @param serializerClass the name of a thread-safe {@code Serializer<Object>} for Avro records; null for Ebb's own
 * @param deserializerClass the name of a thread-safe {@code Deserializer<Object>} for Avro records; null for Ebb's own
 */
public record AvroSettings(
        String registryUrl,
        Map<String, String> registry,
        @Nullable String serializerClass,
        @Nullable String deserializerClass) {

    public static final String PREFIX = "schema.registry.";
    public static final String URL = "schema.registry.url";
    public static final String SERIALIZER_CLASS = "avro.serializer.class";
    public static final String DESERIALIZER_CLASS = "avro.deserializer.class";

    private static final String DEFAULT_URL = "http://127.0.0.1:8081";

    public AvroSettings {
        registry = Snapshot.of(registry);
    }

    /** Returns the Avro settings among these settings, with defaults for missing ones. */
    public static AvroSettings of(Map<String, ?> settings) {
        Map<String, String> registry = settings.entrySet().stream()
                .filter(setting -> setting.getKey().startsWith(PREFIX)
                        && !setting.getKey().equals(URL)
                        && setting.getValue() != null)
                .collect(Collectors.toMap(
                        Map.Entry::getKey, setting -> setting.getValue().toString()));
        return new AvroSettings(
                settings.get(URL) == null
                        ? DEFAULT_URL
                        : settings.get(URL).toString().strip(),
                registry,
                text(settings, SERIALIZER_CLASS),
                text(settings, DESERIALIZER_CLASS));
    }

    /** Returns true if there is a registry. */
    public boolean hasRegistry() {
        return !registryUrl.isEmpty();
    }

    private static @Nullable String text(Map<String, ?> settings, String key) {
        Object value = settings.get(key);
        return value == null || value.toString().isBlank()
                ? null
                : value.toString().strip();
    }
}
