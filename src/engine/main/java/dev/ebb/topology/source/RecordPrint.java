package dev.ebb.topology.source;

import dev.ebb.domain.source.SourceRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * Fingerprints of records, by which a record that was sent again is known when it is read. They cover the time: rows
 * often come back to a value that they had. They leave it out where a mark names the place of the repeated record, since
 * some topics give each record the time of the broker.
 */
final class RecordPrint {

    private static final byte[] NONE = {0};
    private static final byte[] SOME = {1};

    private RecordPrint() {}

    static long of(SourceRecord record) {
        MessageDigest digest = digest();
        if (record.header(SourceIntake.AGAIN) == null) {
            digest.update(ByteBuffer.allocate(Long.BYTES)
                    .putLong(record.timestampMs())
                    .array());
        }
        add(digest, record.value());
        for (SourceRecord.Header header : record.headers()) {
            add(digest, header.name().getBytes(StandardCharsets.UTF_8));
            add(digest, header.value());
        }
        return ByteBuffer.wrap(digest.digest()).getLong();
    }

    private static void add(MessageDigest digest, byte @Nullable [] bytes) {
        digest.update(bytes == null ? NONE : SOME);
        if (bytes != null) {
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            digest.update(bytes);
        }
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
