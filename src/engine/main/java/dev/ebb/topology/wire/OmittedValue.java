package dev.ebb.topology.wire;

import dev.ebb.domain.Sha256;
import dev.ebb.store.layout.InputRecord;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Value that is too big even for the rejected topic, so that only its size and its hash are passed on and a consumer
 * need not keep more. An empty value takes its place, since null would delete something.
 *
 * @param bytes number of bytes of the value
 * @param sha256 SHA-256 of these bytes in hexadecimal digits
 */
public record OmittedValue(long bytes, String sha256) {

    /** Marks the record; never leaves the application, and is accepted from no producer. */
    static final String HEADER = "ebb-left-out";

    private static final int HEX_DIGITS = 64;
    private static final byte[] INSTEAD = {};

    /** Leaves the value out of the record with those headers; returns the value that takes its place. */
    public static byte[] from(Headers headers, ByteBuffer value) {
        return from(headers, value.remaining(), sha256(value));
    }

    /** Leaves out a value of which only the size and the hash are known; returns the value that takes its place. */
    public static byte[] from(Headers headers, int bytes, String sha256) {
        EbbHeaders.set(headers, HEADER, bytes + " " + sha256);
        return INSTEAD;
    }

    /** Removes a mark that a producer has set. */
    public static void removeForged(Headers headers) {
        if (headers.lastHeader(HEADER) != null) {
            headers.remove(HEADER);
        }
    }

    /** Returns the value that was left out of the record; null if none was. */
    static @Nullable OmittedValue of(InputRecord record) {
        byte[] value = record.value();
        Header mark =
                value == null || value.length > 0 ? null : record.headers().lastHeader(HEADER);
        return mark == null ? null : parse(EbbHeaders.text(record.headers(), HEADER));
    }

    private static @Nullable OmittedValue parse(@Nullable String mark) {
        int blank = mark == null ? -1 : mark.indexOf(' ');
        if (mark == null || blank < 0 || mark.length() - blank - 1 != HEX_DIGITS) {
            return null;
        }
        try {
            int bytes = Integer.parseInt(mark.substring(0, blank));
            return bytes < 0 ? null : new OmittedValue(bytes, mark.substring(blank + 1));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    static String sha256(ByteBuffer value) {
        MessageDigest digest = Sha256.digest();
        digest.update(value.duplicate());
        return HexFormat.of().formatHex(digest.digest());
    }
}
