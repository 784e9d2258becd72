package dev.ebb.runtime.unpacking;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A value that was read but not kept, since it is longer than any value that is kept. The bytes in its place begin with
 * random bytes that never leave the process, so they cannot be forged.
 *
 * @param bytes length of the value in bytes
 * @param sha256 SHA-256 of the value in hexadecimal digits
 */
public record LongValue(int bytes, String sha256) {

    private static final int SECRET_BYTES = 32;
    private static final int HASH_BYTES = 32;
    private static final int ALL_BYTES = SECRET_BYTES + Integer.BYTES + HASH_BYTES;
    private static final byte[] SECRET = new byte[SECRET_BYTES];

    static {
        new SecureRandom().nextBytes(SECRET);
    }

    /** Returns the bytes that stand in place of such a value. */
    public static byte[] instead(int bytes, byte[] sha256) {
        return ByteBuffer.allocate(ALL_BYTES)
                .put(SECRET)
                .putInt(bytes)
                .put(sha256)
                .array();
    }

    /** Returns the description of a value that was not kept; null if these bytes are the value itself. */
    public static @Nullable LongValue of(ByteBuffer value) {
        if (value.remaining() != ALL_BYTES
                || !value.slice(value.position(), SECRET_BYTES).equals(ByteBuffer.wrap(SECRET))) {
            return null;
        }
        ByteBuffer rest = value.duplicate().position(value.position() + SECRET_BYTES);
        int bytes = rest.getInt();
        byte[] hash = new byte[HASH_BYTES];
        rest.get(hash);
        return new LongValue(bytes, HexFormat.of().formatHex(hash));
    }
}
