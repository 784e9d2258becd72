package dev.ebb.config;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;

/** Checks of values that are good by themselves but must not stand together. */
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
        addApi(texts, problems);
        return problems;
    }

    private static void addApi(Map<String, String> texts, Map<String, String> problems) {
        boolean hasCertificate = !value(texts, Settings.API_TLS_CERTIFICATE).isEmpty();
        boolean hasKey = !value(texts, Settings.API_TLS_KEY).isEmpty();
        if (hasCertificate != hasKey) {
            String given = hasCertificate ? Settings.API_TLS_CERTIFICATE : Settings.API_TLS_KEY;
            String missing = hasCertificate ? Settings.API_TLS_KEY : Settings.API_TLS_CERTIFICATE;
            problems.put(given, "is no use without " + missing);
        }
        boolean hasTokens = !value(texts, Settings.API_TOKENS_FILE).isEmpty();
        boolean isAllowed = Boolean.parseBoolean(value(texts, Settings.API_INSECURE)) || (hasTokens && hasCertificate);
        if (!isAllowed && !Address.parse(value(texts, Settings.API_LISTEN)).isLoopback()) {
            problems.put(
                    Settings.API_LISTEN,
                    "is reached from other machines, which needs " + missing(hasTokens, hasCertificate)
                            + "; or allow it as it is with api.insecure=true (ebb run --insecure)");
        }
        String secret = texts.getOrDefault(Settings.API_PEER_SECRET, "");
        if (!secret.isEmpty() && !secret.matches("[!-~]{16,200}")) {
            problems.put(
                    Settings.API_PEER_SECRET,
                    "must be 16 to 200 letters, digits and signs of ASCII without blanks, such as 'openssl rand -hex 32' prints");
        }
    }

    private static String missing(boolean hasTokens, boolean hasCertificate) {
        String tokens = hasTokens ? "" : "tokens (api.tokens.file, made with 'ebb token create')";
        String tls = hasCertificate ? "" : "TLS (api.tls.certificate and api.tls.key)";
        return tokens + (hasTokens || hasCertificate ? "" : " and ") + tls;
    }

    private static long number(Map<String, String> texts, String key) {
        return Long.parseLong(value(texts, key));
    }

    private static String value(Map<String, String> texts, String key) {
        ConfigDef.ConfigKey definition = Settings.definitions().configKeys().get(key);
        return texts.getOrDefault(key, definition == null ? "" : String.valueOf(definition.defaultValue));
    }
}
