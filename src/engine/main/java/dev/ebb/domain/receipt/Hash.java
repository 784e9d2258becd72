package dev.ebb.domain.receipt;

import dev.ebb.domain.Sha256;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;

/** A hash of a Merkle tree or of a part of it: SHA-256, as defined in RFC 9162, section 2.1.1. Immutable. */
public final class Hash {

    /** Length of a hash in bytes. */
    public static final int BYTES = 32;

    /** The root of the tree without leaves. */
    public static final Hash OF_NOTHING = new Hash(Sha256.digest().digest());

    /** Leaves and inner nodes are hashed with different first bytes, so that neither can pass for the other. */
    private static final byte LEAF = 0;

    private static final byte NODE = 1;

    private final byte[] bytes;

    private Hash(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns the hash of a leaf with the given data. */
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
     * Returns the hash of a text.
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

    /** Returns the hash in base64. */
    @Override
    public String toString() {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
