package dev.ebb.store.rocks;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The values that were read last, within a bound of bytes, so that large ones do not fill the heap. When it is full
 * it begins anew. Not thread-safe.
 */
final class LastRead {

    private static final int MAX_VALUES = 512;

    /** The most bytes of keys and values of one store. */
    static final int MAX_BYTES = 2 << 20;

    /** A larger value would drive out too many others, and another read of it costs little beside the first one. */
    static final int MAX_VALUE_BYTES = MAX_BYTES / 16;

    private final Map<Bytes, byte[]> values = new HashMap<>();
    private int bytes;

    /** The thread whose reads alone are remembered: other threads may still see records that this one has removed. */
    private @Nullable Thread writer;

    /** Has reads of this thread remembered from now on. */
    void beginWriting() {
        writer = Thread.currentThread();
    }

    /** Remembers the value that the writer has read, unless it is too large; a former one is forgotten in any case. */
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

    /** The value of the key, which is forgotten; null if none is remembered. */
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
