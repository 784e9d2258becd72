package dev.ebb.config;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Finds keys that may hold a secret, whose values must never be printed, and secrets inside the values of other keys. */
final class Secrets {

    private static final String HIDDEN = "[hidden]";
    private static final List<String> MARKS =
            List.of("password", "secret", "token", "jaas", "user.info", "credential", "ssl.keystore.key");

    /**
     * Name and password before the host of a URL, with a colon between them, up to the last {@code @}: a password may
     * have that character, and a slash, too. Rather hides too much than too little.
     */
    private static final Pattern USER_INFO = Pattern.compile("//(?:(?!//)[^\\s?])*:(?:(?!//)[^\\s?])*@");

    /** A parameter that is a secret, up to the next one: after {@code ;} that is the next {@code ;}. */
    private static final Pattern PARAMETER =
            Pattern.compile("(?i)(?:([?&][^=?&;]*SECRET[^=?&;]*=)[^&]*|(;[^=?&;]*SECRET[^=?&;]*=)[^;]*)"
                    .replace("SECRET", "(?:password|passphrase|pwd|secret|token|credential)"));

    private Secrets() {}

    /**
     * Returns the value with its secrets hidden, or a text in its place if all of it is secret. The path of a file that
     * holds a secret is not secret.
     */
    static String show(String key, String value) {
        return isSecret(key) && !value.isEmpty() ? HIDDEN : withoutPasswords(value);
    }

    static boolean isSecret(String key) {
        String lower = key.toLowerCase(Locale.ROOT);
        return !lower.endsWith(".file") && MARKS.stream().anyMatch(lower::contains);
    }

    /** Hides name and password in URLs, and parameters of them that are secrets. */
    private static String withoutPasswords(String value) {
        String hosts = USER_INFO.matcher(value).replaceAll("//" + HIDDEN + "@");
        return PARAMETER
                .matcher(hosts)
                .replaceAll(found -> (found.group(1) == null ? found.group(2) : found.group(1)) + HIDDEN);
    }
}
