package dev.ebb.domain;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, which every Java has, so callers need not handle its absence. Stateless. */
public final class Sha256 {

    private Sha256() {}

    /** Returns a new digest, for bytes that come in parts. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Returns the 32 bytes of the hash. */
    public static byte[] of(byte[] bytes) {
        return digest().digest(bytes);
    }
}
