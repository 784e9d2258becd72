package dev.ebb.topology.trash;

import dev.ebb.topology.wire.EbbHeaders;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Seal on the records of one partition of the trash, which only a holder of the secret can make: 16 bytes of an
 * HMAC-SHA-256 over key, value and the headers of Ebb. Not thread-safe.
 */
final class TrashSeal {

    /** Number of bytes of a secret. */
    static final int SECRET_BYTES = 32;

    private static final int BYTES = 16;
    private static final String ALGORITHM = "HmacSHA256";
    private static final String PREFIX = "ebb-";

    private final Mac mac;
    private final ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);

    TrashSeal(byte[] secret) {
        try {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    /** Returns the bytes of the headers that are sealed; the same for all records of a deletion. */
    static byte[] sealed(Headers headers) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Header header : headers) {
            if (header.key().startsWith(PREFIX) && !header.key().equals(EbbHeaders.TRASH_SEAL)) {
                add(bytes, header.key().getBytes(StandardCharsets.UTF_8));
                add(bytes, header.value());
            }
        }
        return bytes.toByteArray();
    }

    private static void add(ByteArrayOutputStream bytes, byte @Nullable [] part) {
        int length = part == null ? -1 : part.length;
        bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
        bytes.writeBytes(part == null ? new byte[0] : part);
    }

    /**
     * Returns the seal of a record.
     *
     * @param headers the bytes that {@link #sealed} returns
     */
    byte[] of(byte[] key, byte @Nullable [] value, byte[] headers) {
        add(key);
        add(value);
        mac.update(headers);
        return Arrays.copyOf(mac.doFinal(), BYTES);
    }

    private void add(byte @Nullable [] part) {
        length.clear();
        mac.update(length.putInt(part == null ? -1 : part.length).flip());
        if (part != null) {
            mac.update(part);
        }
    }

    /** Returns true if the record has its seal. */
    boolean isOn(byte[] key, byte @Nullable [] value, Headers headers) {
        Header seal = headers.lastHeader(EbbHeaders.TRASH_SEAL);
        return seal != null
                && seal.value() != null
                && MessageDigest.isEqual(seal.value(), of(key, value, sealed(headers)));
    }
}
