package dev.ebb.store.rocks;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The values that were read last, limited in bytes so that large ones do not fill the heap. When full, it is
 * cleared. Not thread-safe.
 */
final class LastRead {

    private static final int MAX_VALUES = 512;

    /** The most bytes of keys and values of one store. */
    static final int MAX_BYTES = 2 << 20;

    /**
     * The most bytes of a value: a larger one would displace too many others, and reading it again costs little
     * compared to the first read.
     */
    static final int MAX_VALUE_BYTES = MAX_BYTES / 16;

    private final Map<Bytes, byte[]> values = new HashMap<>();
    private int bytes;

    /** The only thread whose reads are remembered: other threads may still see records that this thread has removed. */
    private @Nullable Thread writer;

    /** Remembers the reads of this thread from now on. */
    void beginWriting() {
        writer = Thread.currentThread();
    }

    /** Remembers a value that the writer has read, unless it is too large; forgets an earlier one in any case. */
    void put(Bytes key, byte[] value) {
        if (Thread.currentThread() != writer) {
            return;
        }
        remove(key);
        if (value.length > MAX_VALUE_BYTES) {
            return;
        }
        int more = size(key, value);
        if (values.size() >= MAX_VALUES || bytes + more > MAX_BYTES) {
            clear();
        }
        values.put(key, value);
        bytes += more;
    }

    /** Forgets and returns the value of the key; null if none is remembered. */
    byte @Nullable [] remove(Bytes key) {
        byte[] value = values.remove(key);
        if (value != null) {
            bytes -= size(key, value);
        }
        return value;
    }

    void clear() {
        values.clear();
        bytes = 0;
    }

    private static int size(Bytes key, byte[] value) {
        return key.get().length + value.length;
    }
}
