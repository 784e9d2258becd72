package dev.ebb.domain.receipt;

import dev.ebb.domain.Sha256;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;

/** Hash of a Merkle tree or of a part of it: SHA-256, as RFC 9162, section 2.1.1, has it. Immutable. */
public final class Hash {

    /** Bytes of a hash. */
    public static final int BYTES = 32;

    /** Root of the tree without leaves. */
    public static final Hash OF_NOTHING = new Hash(Sha256.digest().digest());

    /** A leaf and an inner node begin with different bytes, so that neither can pass for the other. */
    private static final byte LEAF = 0;

    private static final byte NODE = 1;

    private final byte[] bytes;

    private Hash(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Hash of a leaf with those data. */
    public static Hash ofLeaf(byte[] data) {
        MessageDigest digest = Sha256.digest();
        digest.update(LEAF);
        return new Hash(digest.digest(data));
    }

    static Hash ofNode(Hash left, Hash right) {
        MessageDigest digest = Sha256.digest();
        digest.update(NODE);
        digest.update(left.bytes);
        return new Hash(digest.digest(right.bytes));
    }

    /**
     * The hash in that text.
     *
     * @throws IllegalArgumentException if the text is not the base64 of a hash
     */
    public static Hash parse(String base64) {
        return of(Base64.getDecoder().decode(base64));
    }

    /** @throws IllegalArgumentException if these are not the bytes of a hash */
    public static Hash of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a hash has " + BYTES + " bytes, not " + bytes.length);
        }
        return new Hash(bytes.clone());
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Hash hash && Arrays.equals(bytes, hash.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The hash in base64. */
    @Override
    public String toString() {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
