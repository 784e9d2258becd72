package dev.ebb.api.access;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A token as its file lists it.
 *
 * @param name user of the token, the actor in the audit; several tokens may have one name, so that a new one can take
 *     the place of an old one
 * @param hash stored in place of the secret
 * @param expiresAt the first moment at which it is not accepted any more; null if there is none
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

    /** Returns true if the token is not accepted any more at that moment. */
    public boolean isExpiredAt(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    /** Reads {@code NAME ROLE HASH [EXPIRES]}; throws {@link IllegalArgumentException} that says what is wrong. */
    static TokenEntry parse(String line) {
        String[] words = line.strip().split("\\s+", -1);
        if (words.length < 3 || words.length > 4) {
            throw new IllegalArgumentException("a line is NAME ROLE HASH and perhaps the time of its end");
        }
        Role role = Role.parse(words[1])
                .orElseThrow(() ->
                        new IllegalArgumentException("the role must be viewer, operator, eraser, restorer or admin"));
        return new TokenEntry(words[0], role, words[2], words.length == 3 ? null : time(words[3]));
    }

    /** The line of the file. */
    public String line() {
        return name + " " + role + " " + hash + (expiresAt == null ? "" : " " + expiresAt);
    }

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("the end must be a time such as 2027-01-31T00:00:00Z", e);
        }
    }
}
