package dev.ebb.api.access;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A token, as listed in the file of tokens.
 *
 * @param name the user of the token, and the actor in the audit; several tokens may have the same name, so that a new
 *     one can take the place of an old one
 * @param hash the hash that is stored in place of the secret
 * @param expiresAt the first moment at which the token is no longer accepted; null if it never expires
 */
public record TokenEntry(
        String name, Role role, String hash, @Nullable Instant expiresAt) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,100}");

    public TokenEntry {
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "the name must be made of 1 to 100 letters, digits, '.', '_', '@' and '-', was '" + name + "'");
        }
        if (!TokenSecret.isHash(hash)) {
            throw new IllegalArgumentException("the hash must be sha256: and 64 hexadecimal digits");
        }
    }

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Returns true if the token is no longer accepted at that moment. */
    public boolean isExpiredAt(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    /**
     * Reads {@code NAME ROLE HASH [EXPIRES]}; throws {@link IllegalArgumentException} with the fault as its message.
     */
    static TokenEntry parse(String line) {
        String[] words = line.strip().split("\\s+", -1);
        if (words.length < 3 || words.length > 4) {
            throw new IllegalArgumentException("a line must be NAME ROLE HASH, and optionally a time of expiry");
        }
        Role role = Role.parse(words[1])
                .orElseThrow(() ->
                        new IllegalArgumentException("the role must be viewer, operator, eraser, restorer or admin"));
        return new TokenEntry(words[0], role, words[2], words.length == 3 ? null : time(words[3]));
    }

    /** Returns the line of the file. */
    public String line() {
        return name + " " + role + " " + hash + (expiresAt == null ? "" : " " + expiresAt);
    }

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("the expiry must be a time such as 2027-01-31T00:00:00Z", e);
        }
    }
}
