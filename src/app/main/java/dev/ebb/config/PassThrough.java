package dev.ebb.config;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The keys that are passed to the Kafka clients and to the client of the schema registry unchanged. */
final class PassThrough {

    static final String KAFKA = "kafka.";
    static final String SCHEMA_REGISTRY = "schema.registry.";

    /** Keys of the clients that have a setting of their own, and those on which exactly once depends. */
    private static final Map<String, String> TAKEN = Map.ofEntries(
            setting("bootstrap.servers", Settings.BOOTSTRAP_SERVERS),
            setting("application.id", Settings.APPLICATION_ID),
            setting("group.id", Settings.APPLICATION_ID),
            setting("group.protocol", Settings.GROUP_PROTOCOL),
            setting("group.instance.id", Settings.GROUP_INSTANCE_ID),
            setting("processing.guarantee", Settings.PROCESSING_GUARANTEE),
            setting("commit.interval.ms", Settings.COMMIT_INTERVAL),
            setting("num.stream.threads", Settings.STREAM_THREADS),
            setting("num.standby.replicas", Settings.STANDBY_REPLICAS),
            setting("replication.factor", Settings.TOPICS_REPLICATION_FACTOR),
            setting("state.dir", Settings.STATE_DIR),
            setting("application.server", Settings.API_ADVERTISED),
            fixed("isolation.level"),
            fixed("enable.auto.commit"),
            fixed("enable.idempotence"),
            fixed("auto.offset.reset"),
            fixed("acks"),
            fixed("transactional.id"),
            fixed("transaction.timeout.ms"),
            fixed("key.serializer"),
            fixed("value.serializer"),
            fixed("key.deserializer"),
            fixed("value.deserializer"),
            fixed("rocksdb.config.setter"),
            fixed("topology.optimization"));

    private PassThrough() {}

    static boolean isPassedThrough(String key) {
        return Stream.of(KAFKA, SCHEMA_REGISTRY)
                .anyMatch(prefix -> key.startsWith(prefix) && key.length() > prefix.length());
    }

    /** Returns the reason why the key must not be passed through; null if it may be. */
    static @Nullable String problem(String key) {
        return key.startsWith(KAFKA) ? TAKEN.get(key.substring(KAFKA.length())) : null;
    }

    /** Returns the keys with the given prefix, without the prefix. */
    static Map<String, String> strip(String prefix, Map<String, String> texts) {
        return texts.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .collect(Collectors.toUnmodifiableMap(
                        entry -> entry.getKey().substring(prefix.length()), Map.Entry::getValue));
    }

    private static Map.Entry<String, String> setting(String key, Setting<?> setting) {
        return Map.entry(key, "must not be passed through; set " + setting);
    }

    private static Map.Entry<String, String> fixed(String key) {
        return Map.entry(key, "must not be passed through; Ebb's guarantees depend on its own value");
    }
}
