package dev.ebb.config;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;

/** What must not stand together although each value is good for itself. */
final class CrossChecks {

    private CrossChecks() {}

    /** The fault of each setting that has one. */
    static Map<String, String> problems(Map<String, String> texts) {
        Map<String, String> problems = new LinkedHashMap<>();
        if (value(texts, Settings.GROUP_PROTOCOL).equals("streams")
                && !value(texts, Settings.GROUP_INSTANCE_ID).isEmpty()) {
            problems.put(Settings.GROUP_INSTANCE_ID, "does not work with group.protocol=streams");
        }
        if (number(texts, Settings.ROCKSDB_WRITE_BUFFER_BYTES) >= number(texts, Settings.ROCKSDB_BLOCK_CACHE_BYTES)) {
            problems.put(
                    Settings.ROCKSDB_WRITE_BUFFER_BYTES,
                    "must be less than rocksdb.block.cache.bytes, which it counts against");
        }
        if (!Boolean.parseBoolean(value(texts, Settings.API_INSECURE))
                && !Address.parse(value(texts, Settings.API_LISTEN)).isLoopback()) {
            problems.put(
                    Settings.API_LISTEN,
                    "is reached from other machines, and there is no authentication; allow it with api.insecure=true");
        }
        String secret = texts.getOrDefault(Settings.API_PEER_SECRET, "");
        if (!secret.isEmpty() && !secret.matches("[!-~]{16,200}")) {
            problems.put(
                    Settings.API_PEER_SECRET,
                    "must be 16 to 200 letters, digits and signs of ASCII without blanks, such as 'openssl rand -hex 32' prints");
        }
        return problems;
    }

    private static long number(Map<String, String> texts, String key) {
        return Long.parseLong(value(texts, key));
    }

    private static String value(Map<String, String> texts, String key) {
        ConfigDef.ConfigKey definition = Settings.definitions().configKeys().get(key);
        return texts.getOrDefault(key, definition == null ? "" : String.valueOf(definition.defaultValue));
    }
}
