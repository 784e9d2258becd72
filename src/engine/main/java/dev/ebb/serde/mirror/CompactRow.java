package dev.ebb.serde.mirror;

import dev.ebb.serde.text.UtcText;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes keys and rows without names: a version byte, then each value with its length before it. The row does not
 * repeat the fields of the key, and begins with the next field. The setting {@code columns} of the connectors names the
 * fields; {@code config/connect/README.md} describes the form. Not thread-safe.
 */
final class CompactRow implements RowFields {

    /** The first byte of every key and row; no JSON begins with it. */
    private static final byte VERSION = 1;

    /** Times are microseconds since 2000, as PostgreSQL keeps them. */
    private static final long EPOCH_SECONDS =
            Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();

    private static final int MICROS_PER_MS = 1000;
    private static final int MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1000;

    private final CompactBytes out = new CompactBytes();
    private final CompactBytes inner = new CompactBytes();

    CompactRow() {
        clear();
    }

    @Override
    public CompactRow text(byte[] name, @Nullable String value) {
        if (value == null) {
            out.none();
        } else {
            out.text(value);
        }
        return this;
    }

    @Override
    public CompactRow number(byte[] name, @Nullable Long value) {
        if (value == null) {
            out.none();
        } else {
            out.number(value);
        }
        return this;
    }

    @Override
    public CompactRow truth(byte[] name, @Nullable Boolean value) {
        if (value == null) {
            out.none();
        } else {
            out.number(value ? 1 : 0);
        }
        return this;
    }

    @Override
    public CompactRow time(byte[] name, @Nullable Long epochMs) {
        if (epochMs == null) {
            out.none();
        } else {
            out.number((UtcText.clamped(epochMs) - EPOCH_SECONDS * 1000) * MICROS_PER_MS);
        }
        return this;
    }

    @Override
    public CompactRow anyTime(byte[] name, Instant value) {
        out.number(micros(value));
        return this;
    }

    /**
     * Returns the microseconds of a time. A time outside the range of a long is infinity in PostgreSQL, the only such
     * time that a row can have.
     */
    private static long micros(Instant time) {
        try {
            long seconds = Math.subtractExact(time.getEpochSecond(), EPOCH_SECONDS);
            return Math.addExact(Math.multiplyExact(seconds, MICROS_PER_SECOND), time.getNano() / NANOS_PER_MICRO);
        } catch (ArithmeticException e) {
            return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    @Override
    public CompactRow bytes(byte[] name, byte[] value) {
        out.bytes(value, 0, value.length);
        return this;
    }

    @Override
    public CompactRow object(byte[] name, Map<String, String> texts) {
        (texts.size() > 1 ? new TreeMap<>(texts) : texts)
                .forEach((key, value) -> inner.text(key).text(value));
        out.bytes(inner);
        inner.clear();
        return this;
    }

    @Override
    public CompactRow endKey() {
        return clear();
    }

    @Override
    public CompactRow clear() {
        inner.clear();
        out.clear().put(VERSION);
        return this;
    }

    @Override
    public byte[] toBytes() {
        byte[] written = out.copy();
        clear();
        return written;
    }
}
