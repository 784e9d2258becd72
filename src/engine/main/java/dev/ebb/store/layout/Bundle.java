package dev.ebb.store.layout;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A bundle: the record of the log that stands for many changes of records that are no events, each the last of its key.
 * A transaction changes the usage of each stream that it touches, and a record for each would be most of the log.
 *
 * <p>A byte for its form, then for each change its key, and its value after a byte that is 0 for a removal, which has
 * none. Not thread-safe.
 */
public final class Bundle {

    private static final int FORM = 1;
    private static final byte KEY = 'B';

    private final Map<Bytes, byte @Nullable []> changes = new LinkedHashMap<>();
    private int bytes;

    /** Takes a change in place of the former change of its key; a null value removes the key. */
    public void put(Bytes key, byte @Nullable [] value) {
        if (changes.containsKey(key)) {
            bytes -= size(key, changes.get(key));
        }
        changes.put(key, value);
        bytes += size(key, value);
    }

    /** Returns about the size of such a change in the record, in bytes. */
    public static int size(Bytes key, byte @Nullable [] value) {
        return key.get().length + (value == null ? 0 : value.length) + 2 * Short.BYTES;
    }

    /** Returns about the size of the record, in bytes. */
    public int sizeBytes() {
        return bytes;
    }

    /** Passes the key and the value of the record on, and begins with the next one; passes nothing on if it is empty. */
    public void take(BiConsumer<byte[], byte @Nullable []> record) {
        if (changes.size() == 1) {
            changes.forEach((key, value) -> record.accept(key.get(), value));
        } else if (!changes.isEmpty()) {
            byte[] first = changes.keySet().iterator().next().get();
            byte[] key = Arrays.copyOf(new byte[] {KEY}, 1 + first.length);
            System.arraycopy(first, 0, key, 1, first.length);
            record.accept(key, encode());
        }
        clear();
    }

    private byte[] encode() {
        ByteWriter out = new ByteWriter(1 + bytes).writeByte(FORM);
        changes.forEach((key, value) -> {
            out.writeBytes(key.get()).writeByte(value == null ? 0 : 1);
            if (value != null) {
                out.writeBytes(value);
            }
        });
        return out.toBytes();
    }

    /** Forgets all changes. */
    public void clear() {
        changes.clear();
        bytes = 0;
    }

    /**
     * Passes on the changes of a record of the log, if it is a bundle.
     *
     * @param change receives each key with its value, null for a removal
     * @return false if it is none
     * @throws IllegalStateException or an {@link IndexOutOfBoundsException} if the bytes are damaged
     */
    public static boolean read(byte[] key, byte @Nullable [] bundle, BiConsumer<byte[], byte @Nullable []> change) {
        if (bundle == null || key.length == 0 || key[0] != KEY) {
            return false;
        }
        ByteReader in = new ByteReader(bundle);
        int form = in.readByte();
        if (form != FORM) {
            throw new IllegalStateException("a bundle is written in the unknown form " + form);
        }
        while (in.hasMore()) {
            byte[] of = in.readBytes();
            change.accept(of, in.readByte() == 0 ? null : in.readBytes());
        }
        return true;
    }
}
