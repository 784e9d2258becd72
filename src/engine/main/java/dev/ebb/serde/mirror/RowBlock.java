package dev.ebb.serde.mirror;

import java.util.Arrays;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Collects changes of rows, in their order, in the value of one record, with the same content as a record for each
 * change. The value begins with a byte for the form. For each change follow its time, its key and its row, each with
 * its length before it; 0 in place of the row means a delete. A time is the difference from the time before, and a
 * value of a key is left out if it equals the value in the key before. Where the reason of deletes changes, 0 and the
 * reason come first. Empty again after {@link #take()}; not thread-safe.
 */
public final class RowBlock {

    /** The first byte of every block; no key, no row and no JSON begins with it. */
    private static final byte FORM = 2;

    /** Keys and rows begin with their version, which a block omits. */
    private static final int FIRST_VALUE = 1;

    private static final byte[] NO_KEY = {0};

    private final CompactBytes out = new CompactBytes();
    private final CompactBytes inner = new CompactBytes();
    private byte[] before = NO_KEY;
    private long timeBeforeMs;
    private @Nullable Headers reason;
    private int changes;

    /** @param key the compact key */
    public void put(byte[] key, byte[] row, long timestampMs) {
        start();
        begin(key, timestampMs);
        out.bytes(row, FIRST_VALUE, row.length - FIRST_VALUE);
    }

    /** @param why the reason; for equal reasons in succession, pass the same object */
    public void delete(byte[] key, Headers why, long timestampMs) {
        start();
        if (why != reason) {
            reason = why;
            reason(why);
        }
        begin(key, timestampMs);
        out.none();
    }

    private void start() {
        if (changes++ == 0) {
            out.clear().put(FORM);
            before = NO_KEY;
            timeBeforeMs = 0;
            reason = null;
        }
    }

    private void reason(Headers why) {
        out.none();
        for (Header header : why) {
            inner.text(header.key()).bytes(header.value(), 0, header.value().length);
        }
        out.bytes(inner);
        inner.clear();
    }

    private void begin(byte[] key, long timestampMs) {
        out.number(timestampMs - timeBeforeMs);
        timeBeforeMs = timestampMs;
        int at = FIRST_VALUE;
        int same = FIRST_VALUE;
        while (at < key.length) {
            int end = CompactBytes.end(key, at);
            int sameEnd = same < before.length ? CompactBytes.end(before, same) : same;
            if (Arrays.equals(key, at, end, before, same, sameEnd)) {
                inner.none();
            } else {
                inner.raw(key, at, end - at);
            }
            at = end;
            same = sameEnd;
        }
        out.bytes(inner);
        inner.clear();
        before = key;
    }

    public boolean isEmpty() {
        return changes == 0;
    }

    /** Returns the number of changes since {@link #take()}. */
    public int changes() {
        return changes;
    }

    public int sizeBytes() {
        return isEmpty() ? 0 : out.length();
    }

    /** Returns the value of the record. */
    public byte[] take() {
        changes = 0;
        return out.copy();
    }
}
