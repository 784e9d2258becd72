package dev.ebb.topology.removal;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the audit that wait for the commit, so that one record takes them to SQL. Such a record begins with the end of
 * a line, and each of its lines is a row, since JSON has none within its texts. Not thread-safe.
 */
final class AuditRows {

    /** The size of a record from which on it takes no further row. */
    private static final int ENOUGH_BYTES = 48 * 1024;

    private static final byte END_OF_LINE = '\n';

    private final Sender sender;
    private final boolean isGathering;
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private byte @Nullable [] firstKey;
    private long lastMs;

    /** Sends a record. */
    interface Sender {
        void send(byte[] key, byte[] value, long timestampMs);
    }

    /** @param isGathering false if rows do not wait, since other readers than the sink take them or a crash loses them */
    AuditRows(boolean isGathering, Sender sender) {
        this.isGathering = isGathering;
        this.sender = sender;
    }

    void add(byte[] key, byte[] row, long timestampMs) {
        if (!isGathering || row.length > ENOUGH_BYTES) {
            sender.send(key, row, timestampMs);
            return;
        }
        if (lines.size() + row.length > ENOUGH_BYTES) {
            flush();
        }
        if (firstKey == null) {
            firstKey = key;
        }
        lines.write(END_OF_LINE);
        lines.writeBytes(row);
        lastMs = timestampMs;
    }

    /** Sends the rows that wait. */
    void flush() {
        byte[] key = firstKey;
        if (key != null) {
            firstKey = null;
            byte[] rows = lines.toByteArray();
            lines.reset();
            sender.send(key, rows, lastMs);
        }
    }
}
