package dev.ebb.oracle;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Bytes as far as a judge needs them: hostile records have many megabytes, and a world of them has to fit into memory.
 *
 * @param length number of bytes
 * @param sha256 their SHA-256 in hexadecimal digits
 * @param beginning the first of them, at most {@link #KEPT}
 */
record Content(int length, String sha256, byte[] beginning) {

    static final int KEPT = 4096;

    /** The content of these bytes; null of null. */
    static Content of(byte[] bytes) {
        return bytes == null
                ? null
                : new Content(bytes.length, sha256(bytes), Arrays.copyOf(bytes, Math.min(KEPT, bytes.length)));
    }

    /** Returns true if the other begins with this one, of which all has been kept or else the other is the same. */
    boolean isBeginningOf(Content other) {
        return equals(other)
                || (length <= KEPT
                        && other.length >= length
                        && Arrays.equals(beginning, 0, length, other.beginning, 0, length));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Content content && content.sha256.equals(sha256);
    }

    @Override
    public int hashCode() {
        return sha256.hashCode();
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
