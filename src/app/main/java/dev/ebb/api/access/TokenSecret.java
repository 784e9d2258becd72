package dev.ebb.api.access;

import dev.ebb.domain.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The secret of a token: 256 random bits that only this program makes. One round of SHA-256 is therefore enough to
 * store a secret: there is no dictionary of secrets to try, and a slow hash would only slow down every request.
 */
public final class TokenSecret {

    private static final String PREFIX = "ebb_";
    private static final int BYTES = 32;
    private static final Pattern SIGNED = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");
    private static final Pattern FORM = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{43}");
    private static final String ALGORITHM = "sha256:";
    private static final Pattern HASH = Pattern.compile(ALGORITHM + "[0-9a-f]{64}");

    private TokenSecret() {}

    /** Returns a new secret, from the system's source of randomness. */
    public static String generate() {
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }

    /**
     * Returns true if a text has the form of a secret. A password that a person invented does not have it, and is never
     * accepted.
     */
    public static boolean isOne(String text) {
        return FORM.matcher(text).matches();
    }

    /** Returns true if a text has the form of a token that an issuer has signed: three parts with dots between them. */
    public static boolean isSigned(String text) {
        return SIGNED.matcher(text).matches();
    }

    /** Returns the hash that is stored in place of the secret. */
    public static String hash(String secret) {
        return ALGORITHM + HexFormat.of().formatHex(Sha256.of(secret.getBytes(StandardCharsets.UTF_8)));
    }

    static boolean isHash(String text) {
        return HASH.matcher(text).matches();
    }

    /** Compares two hashes in a time that does not depend on where they differ. */
    static boolean areEqual(String hash, String other) {
        return MessageDigest.isEqual(
                hash.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
    }
}
