package dev.ebb.config;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All settings as values. Immutable; prints no secret.
 *
 * <p>The value of a setting comes from the strongest source that names it: built-in default &lt; file ({@code --config}
 * or {@code EBB_CONFIG}) &lt; environment ({@code EBB_} and the key in upper case with underscores for dots) &lt; flags
 * ({@code --set key=value}). Keys that begin with {@code kafka.} go to every Kafka client without the prefix, keys that
 * begin with {@code schema.registry.} to the client of the registry. A key that ends in {@code .password.file} or
 * {@code .secret.file} names a file that holds the value of the key without {@code .file}.
 */
public final class EbbConfig {

    private final Map<String, String> given;
    private final Map<Setting<?>, Object> values = new HashMap<>();

    /**
     * Reads every setting once.
     *
     * @param given texts by key; the default takes the place of one that is missing
     */
    EbbConfig(Map<String, String> given) {
        this.given = Map.copyOf(given);
        for (Setting<?> setting : Settings.all()) {
            values.put(setting, setting.kind().read(given.getOrDefault(setting.key(), setting.standard())));
        }
    }

    /**
     * Reads and checks all sources.
     *
     * @throws ConfigProblemsException if a key is unknown or a value is invalid; names all such faults
     */
    public static EbbConfig load(ConfigSources sources) {
        return new ConfigCheck(sources).config();
    }

    /** Returns the value of the setting. */
    @SuppressWarnings("unchecked") // a setting reads values of its own type only
    public <T> T get(Setting<T> setting) {
        return (T) Objects.requireNonNull(values.get(setting));
    }

    /** Returns the settings with the prefix {@code kafka.}, without the prefix. */
    public Map<String, String> kafkaProperties() {
        return PassThrough.strip(PassThrough.KAFKA, given);
    }

    /** Returns the settings with the prefix {@code schema.registry.}, prefix included, and the URL. */
    public Map<String, String> schemaRegistryProperties() {
        Map<String, String> properties = new TreeMap<>();
        PassThrough.strip(PassThrough.SCHEMA_REGISTRY, given)
                .forEach((key, value) -> properties.put(PassThrough.SCHEMA_REGISTRY + key, value));
        properties.put(Settings.SCHEMA_REGISTRY_URL.key(), get(Settings.SCHEMA_REGISTRY_URL));
        return properties;
    }

    /** Returns the settings of the Avro records: those of the registry, and the classes that replace Ebb's own. */
    public Map<String, String> avroProperties() {
        Map<String, String> properties = schemaRegistryProperties();
        for (var type : List.of(Settings.AVRO_SERIALIZER_CLASS, Settings.AVRO_DESERIALIZER_CLASS)) {
            get(type).ifPresent(name -> properties.put(type.key(), name));
        }
        return properties;
    }

    /** Returns the folder of this application inside the state folder. */
    public Path stateFolder() {
        return get(Settings.STATE_DIR).resolve(get(Settings.APPLICATION_ID));
    }

    public boolean isExactlyOnce() {
        return get(Settings.PROCESSING_GUARANTEE).startsWith("exactly");
    }

    /** Returns the address at which others reach the API of this instance. */
    public Address apiAdvertised() {
        return get(Settings.API_ADVERTISED).orElseGet(() -> get(Settings.API_LISTEN));
    }

    /** Returns the URL at which others reach the API of this instance, with the scheme that the API speaks. */
    public String apiUrl() {
        return (get(Settings.API_TLS_CERTIFICATE).isPresent() ? "https://" : "http://") + apiAdvertised();
    }

    /** Returns the given settings, one {@code key=value} a line, with secrets hidden. */
    @Override
    public String toString() {
        return new TreeMap<>(given)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + Secrets.show(entry.getKey(), entry.getValue()))
                        .collect(Collectors.joining("\n"));
    }
}
