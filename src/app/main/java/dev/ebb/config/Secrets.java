package dev.ebb.config;

import java.util.List;
import java.util.Locale;

/** Finds keys that may hold a secret, whose values must never be printed. */
final class Secrets {

    private static final String HIDDEN = "[hidden]";
    private static final List<String> MARKS =
            List.of("password", "secret", "token", "jaas", "user.info", "credential", "ssl.keystore.key");

    private Secrets() {}

    /**
     * Returns the value, or a text in its place if it is secret. The path of a file that holds a secret is not secret.
     */
    static String show(String key, String value) {
        return isSecret(key) && !value.isEmpty() ? HIDDEN : value;
    }

    static boolean isSecret(String key) {
        String lower = key.toLowerCase(Locale.ROOT);
        return !lower.endsWith(".file") && MARKS.stream().anyMatch(lower::contains);
    }
}
