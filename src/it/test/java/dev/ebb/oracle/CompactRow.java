package dev.ebb.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Reads the compact form of the rows of events, as the manual describes it, into the JSON that says the same. */
final class CompactRow {

    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

    private static final List<String> COLUMNS = List.of(
            "time stored_at",
            "text stream",
            "text event_id",
            "text namespace",
            "text type",
            "text status",
            "truth terminal",
            "time occurred_at",
            "time completed_at",
            "number ttl_seconds",
            "truth no_expiration",
            "time expires_at",
            "number execution",
            "text correlation_id",
            "text content_type",
            "texts metadata",
            "bytes payload",
            "number size_bytes");

    private final ObjectNode row = JsonNodeFactory.instance.objectNode();
    private int column;

    /** The fields of a key, and of the row that goes on behind it; without a row those of the key. */
    static ObjectNode read(byte[] key, byte[] value) {
        CompactRow row = new CompactRow();
        row.read(key);
        if (value != null) {
            row.read(value);
        }
        return row.row;
    }

    private void read(byte[] part) {
        ByteBuffer bytes = ByteBuffer.wrap(part);
        if (bytes.get() != 1) {
            throw new IllegalStateException("no compact form");
        }
        while (bytes.hasRemaining()) {
            byte[] value = value(bytes);
            String[] kindAndName = COLUMNS.get(column++).split(" ");
            if (value != null) {
                put(kindAndName[0], kindAndName[1], value);
            }
        }
    }

    private static byte[] value(ByteBuffer bytes) {
        long size = 0;
        int shift = 0;
        int group;
        do {
            group = bytes.get();
            size |= (long) (group & 0x7F) << shift;
            shift += 7;
        } while ((group & 0x80) != 0);
        if (size == 0) {
            return null;
        }
        byte[] value = new byte[(int) size - 1];
        bytes.get(value);
        return value;
    }

    private void put(String kind, String name, byte[] value) {
        switch (kind) {
            case "time" ->
                row.put(name, EPOCH.plus(number(value), ChronoUnit.MICROS).toString());
            case "number" -> row.put(name, number(value));
            case "truth" -> row.put(name, number(value) != 0);
            case "bytes" -> row.put(name, value);
            case "texts" -> row.put(name, texts(ByteBuffer.wrap(value)).toString());
            default -> row.put(name, new String(value, UTF_8));
        }
    }

    private static long number(byte[] value) {
        return value.length == 0 ? 0 : new BigInteger(value).longValueExact();
    }

    private static ObjectNode texts(ByteBuffer pairs) {
        ObjectNode texts = JsonNodeFactory.instance.objectNode();
        while (pairs.hasRemaining()) {
            texts.put(new String(value(pairs), UTF_8), new String(value(pairs), UTF_8));
        }
        return texts;
    }
}
