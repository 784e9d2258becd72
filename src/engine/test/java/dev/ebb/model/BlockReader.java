package dev.ebb.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads blocks of the mirror as the manual describes them, without the code that writes them. */
public final class BlockReader {

    private final ByteBuffer block;
    private final List<Change> changes = new ArrayList<>();
    private List<byte[]> keyBefore = List.of();
    private Map<String, String> reason = Map.of();
    private long timestampMs;

    private BlockReader(byte[] block) {
        this.block = ByteBuffer.wrap(block);
    }

    /**
     * A change of a row.
     *
     * @param key as in a record of its own
     * @param row as in a record of its own; null if the row goes
     * @param reason why it goes, by the names of the headers; empty for a row that stays
     */
    public record Change(byte[] key, byte @Nullable [] row, long timestampMs, Map<String, String> reason) {}

    public static boolean isBlock(byte @Nullable [] key, byte @Nullable [] value) {
        return key == null && value != null && value[0] == 2;
    }

    public static List<Change> read(byte[] block) {
        BlockReader reader = new BlockReader(block);
        reader.read();
        return reader.changes;
    }

    private void read() {
        block.get();
        while (block.hasRemaining()) {
            byte[] later = value(block);
            if (later == null) {
                reason = texts(ByteBuffer.wrap(value(block)));
            } else {
                timestampMs += later.length == 0 ? 0 : new BigInteger(later).longValueExact();
                byte[] key = whole(ByteBuffer.wrap(value(block)));
                byte[] row = value(block);
                changes.add(new Change(
                        key, row == null ? null : versioned(row), timestampMs, row == null ? reason : Map.of()));
            }
        }
    }

    private byte[] whole(ByteBuffer key) {
        List<byte[]> columns = new ArrayList<>();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(1);
        while (key.hasRemaining()) {
            byte[] value = value(key);
            columns.add(value == null ? keyBefore.get(columns.size()) : value);
        }
        for (byte[] column : columns) {
            writeSize(column.length + 1, whole);
            whole.writeBytes(column);
        }
        keyBefore = columns;
        return whole.toByteArray();
    }

    private static void writeSize(int size, ByteArrayOutputStream out) {
        int rest = size;
        for (; rest > 0x7F; rest >>>= 7) {
            out.write(rest & 0x7F | 0x80);
        }
        out.write(rest);
    }

    private static byte[] versioned(byte[] values) {
        return ByteBuffer.allocate(1 + values.length).put((byte) 1).put(values).array();
    }

    private static Map<String, String> texts(ByteBuffer pairs) {
        Map<String, String> texts = new HashMap<>();
        while (pairs.hasRemaining()) {
            texts.put(new String(value(pairs), UTF_8), new String(value(pairs), UTF_8));
        }
        return texts;
    }

    private static byte @Nullable [] value(ByteBuffer bytes) {
        int size = 0;
        int shift = 0;
        int group;
        do {
            group = bytes.get();
            size |= (group & 0x7F) << shift;
            shift += 7;
        } while ((group & 0x80) != 0);
        if (size == 0) {
            return null;
        }
        byte[] value = new byte[size - 1];
        bytes.get(value);
        return value;
    }
}
