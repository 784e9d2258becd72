package dev.ebb.sink;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Keys and rows of the table {@code thing}, in JSON and in the compact form. */
final class ThingBytes {

    private static final Instant YEAR_2000 = Instant.parse("2000-01-01T00:00:00Z");

    private ThingBytes() {}

    /** The key of {@link #key} in the compact form. */
    static byte[] compactKey(String name) {
        return compactKey("2026-01-01T00:00:00.000Z", name);
    }

    static byte[] compactKey(String at, String name) {
        return compact(ChronoUnit.MICROS.between(YEAR_2000, Instant.parse(at)), name);
    }

    static byte[] compact(@Nullable Object... values) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(1);
        for (Object value : values) {
            add(bytes, value);
        }
        return bytes.toByteArray();
    }

    static byte[] compactTexts(String... texts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String text : texts) {
            add(bytes, text);
        }
        return bytes.toByteArray();
    }

    private static void add(ByteArrayOutputStream out, @Nullable Object value) {
        byte[] bytes = value instanceof byte[] plain
                ? plain
                : value instanceof Long number
                        ? BigInteger.valueOf(number).toByteArray()
                        : String.valueOf(value).getBytes(StandardCharsets.UTF_8);
        int rest = value == null ? 0 : bytes.length + 1;
        for (; rest >= 0x80; rest >>>= 7) {
            out.write(rest | 0x80);
        }
        out.write(rest);
        out.write(bytes, 0, value == null ? 0 : bytes.length);
    }

    static String key(String name) {
        return "{\"at\":\"2026-01-01T00:00:00.000Z\",\"name\":\"" + name + "\"}";
    }

    static String row(String name, String kind) {
        return "{\"at\":\"2026-01-01T00:00:00.000Z\",\"name\":\"" + name + "\",\"kind\":\"" + kind + "\"}";
    }
}
