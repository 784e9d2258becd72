package dev.ebb.config;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Checks of values that are valid by themselves but not together. */
final class CrossChecks {

    private final EbbConfig config;
    private final Map<String, String> problems = new LinkedHashMap<>();

    private CrossChecks(EbbConfig config) {
        this.config = config;
    }

    /** Returns the fault of each setting that has one. */
    static Map<String, String> problems(EbbConfig config) {
        var checks = new CrossChecks(config);
        checks.checkGroup();
        checks.checkMemory();
        checks.checkTls();
        checks.checkListen();
        checks.checkPublicUrls();
        checks.checkPeople();
        checks.checkPeerSecret();
        checks.checkMirror();
        return checks.problems;
    }

    private void checkGroup() {
        if (config.get(Settings.GROUP_PROTOCOL).equals("streams")
                && config.get(Settings.GROUP_INSTANCE_ID).isPresent()) {
            add(Settings.GROUP_INSTANCE_ID, "does not work with group.protocol=streams");
        }
    }

    private void checkMemory() {
        if (config.get(Settings.ROCKSDB_WRITE_BUFFER_BYTES) >= config.get(Settings.ROCKSDB_BLOCK_CACHE_BYTES)) {
            add(
                    Settings.ROCKSDB_WRITE_BUFFER_BYTES,
                    "must be less than rocksdb.block.cache.bytes, which it counts against");
        }
    }

    private void checkTls() {
        if (has(Settings.API_TLS_CERTIFICATE) && !has(Settings.API_TLS_KEY)) {
            add(Settings.API_TLS_CERTIFICATE, "needs " + Settings.API_TLS_KEY);
        }
        if (has(Settings.API_TLS_KEY) && !has(Settings.API_TLS_CERTIFICATE)) {
            add(Settings.API_TLS_KEY, "needs " + Settings.API_TLS_CERTIFICATE);
        }
    }

    private void checkListen() {
        boolean hasTokens = hasCallers();
        boolean hasCertificate = has(Settings.API_TLS_CERTIFICATE);
        boolean isAllowed = config.get(Settings.API_INSECURE) || (hasTokens && hasCertificate);
        if (!isAllowed && !config.get(Settings.API_LISTEN).isLoopback()) {
            add(
                    Settings.API_LISTEN,
                    "can be reached from other machines, which needs " + missing(hasTokens, hasCertificate)
                            + "; or allow it with api.insecure=true (ebb run --insecure)");
        }
    }

    private boolean hasCallers() {
        return has(Settings.API_TOKENS_FILE)
                || !config.get(Settings.API_OIDC_ISSUER).isEmpty();
    }

    private void checkPeople() {
        String issuer = config.get(Settings.API_OIDC_ISSUER);
        if (!issuer.isEmpty()) {
            if (config.get(Settings.API_OIDC_AUDIENCE).isEmpty()) {
                add(
                        Settings.API_OIDC_AUDIENCE,
                        "must name the audience of Ebb: without it, tokens for any other application would do");
            }
            if (issuer.startsWith("http:")
                    && !new Address(String.valueOf(URI.create(issuer).getHost()), 1).isLoopback()) {
                add(Settings.API_OIDC_ISSUER, "must begin with https:// unless it is on loopback");
            }
        }
        if (config.get(Settings.API_SECOND_PERSON).equals("on") && !hasCallers()) {
            add(
                    Settings.API_SECOND_PERSON,
                    "needs callers with names: tokens (api.tokens.file) or people (api.oidc.issuer)");
        }
    }

    private void checkPublicUrls() {
        boolean isPublic = !config.get(Settings.API_PUBLIC_URLS).origins().isEmpty();
        if (isPublic && !hasCallers() && !config.get(Settings.API_INSECURE)) {
            add(
                    Settings.API_PUBLIC_URLS,
                    "lets all callers that reach the proxy do everything, since there are no tokens"
                            + " (api.tokens.file, made with 'ebb token create'); or allow it with api.insecure=true"
                            + " (ebb run --insecure)");
        }
    }

    private void checkPeerSecret() {
        String secret = config.get(Settings.API_PEER_SECRET);
        if (!secret.isEmpty() && !secret.matches("[!-~]{16,200}")) {
            add(
                    Settings.API_PEER_SECRET,
                    "must be 16 to 200 printable ASCII characters without blanks, such as 'openssl rand -hex 32'"
                            + " prints");
        }
    }

    private void checkMirror() {
        boolean isSent = config.get(Settings.MIRROR_JSON).equals("on");
        String sink = config.get(Settings.CONNECT_SINK);
        if (!isSent && sink.equals("debezium")) {
            add(
                    Settings.MIRROR_JSON,
                    "must be on with connect.sink=debezium, which reads nothing else; or set connect.sink=ebb");
        }
        boolean hasWorker = !config.get(Settings.CONNECT_URLS).isEmpty();
        if (sink.equals("auto") && !hasWorker && config.get(Settings.SQL_URL).isPresent()) {
            add(Settings.CONNECT_URLS, "must name the worker with connect.sink=auto, which asks it for its sinks");
        }
        boolean hasSecret = config.get(Settings.CONNECT_AUTH_FILE).isPresent();
        if (hasSecret == config.get(Settings.CONNECT_AUTH).equals("none")) {
            add(
                    Settings.CONNECT_AUTH_FILE,
                    hasSecret
                            ? "has no use with connect.auth=none; set connect.auth to basic or bearer"
                            : "must name the file of the secret, as connect.auth is not none");
        }
    }

    private static String missing(boolean hasTokens, boolean hasCertificate) {
        String tokens = hasTokens ? "" : "tokens (api.tokens.file, made with 'ebb token create', or api.oidc.issuer)";
        String tls = hasCertificate ? "" : "TLS (api.tls.certificate and api.tls.key)";
        return tokens + (hasTokens || hasCertificate ? "" : " and ") + tls;
    }

    private boolean has(Setting<? extends Optional<?>> setting) {
        return config.get(setting).isPresent();
    }

    private void add(Setting<?> setting, String fault) {
        problems.put(setting.key(), fault);
    }
}
