package dev.ebb.api.access;

import dev.ebb.domain.Snapshot;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A token, as listed in the file of tokens.
 *
 * @param name the user of the token, and the actor in the audit; several tokens may have the same name, so that a new
 *     one can take the place of an old one
 * @param roles the rights of the user; at least one
 * @param hash the hash that is stored in place of the secret
 * @param expiresAt the first moment at which the token is no longer accepted; null if it never expires
 */
public record TokenEntry(
        String name, Set<Role> roles, String hash, @Nullable Instant expiresAt) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,100}");

    public TokenEntry {
        if (roles.isEmpty()) {
            throw new IllegalArgumentException("a token needs a role");
        }
        roles = Snapshot.of(EnumSet.copyOf(roles));
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
     * Reads {@code NAME ROLE[,ROLE…] HASH [EXPIRES]}; throws {@link IllegalArgumentException} with the fault as its message.
     */
    static TokenEntry parse(String line) {
        String[] words = line.strip().split("\\s+", -1);
        if (words.length < 3 || words.length > 4) {
            throw new IllegalArgumentException("a line must be NAME ROLE HASH, and optionally a time of expiry");
        }
        Set<Role> roles = Stream.of(words[1].split(",", -1))
                .map(word -> Role.parse(word)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "the role must be viewer, operator, eraser, restorer or admin, or several with commas"
                                        + " between them")))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Role.class)));
        return new TokenEntry(words[0], roles, words[2], words.length == 3 ? null : time(words[3]));
    }

    /** Returns the names of the roles, with commas between them. */
    public String roleNames() {
        return roles.stream().sorted().map(Role::toString).collect(Collectors.joining(","));
    }

    /** Returns the line of the file. */
    public String line() {
        return name + " " + roleNames() + " " + hash + (expiresAt == null ? "" : " " + expiresAt);
    }

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("the expiry must be a time such as 2027-01-31T00:00:00Z", e);
        }
    }
}
