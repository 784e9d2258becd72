package dev.ebb.sink;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads events as the log has them: the value is the stored event, which begins with a byte for its form; the key is
 * made of {@code storedAt}, the stream and the id ({@link #key}). The page {@code docs/semantics/mirror.md} describes the
 * log.
 */
final class EventForm {

    /** The first byte of a key; no JSON begins with it. */
    private static final byte KEY = 1;

    private static final int PLAIN = 1;
    private static final int MARKED = 2;
    private static final int HAS_STATUS = 1;
    private static final int HAS_COMPLETED_AT = 1 << 1;
    private static final int HAS_TTL_SECONDS = 1 << 2;
    private static final int HAS_EXPIRES_AT = 1 << 3;
    private static final int NO_EXPIRATION = 1 << 4;
    private static final int HAS_CORRELATION_ID = 1 << 5;
    private static final int HAS_CONTENT_TYPE = 1 << 6;
    private static final int IS_PROTECTED = 1 << 7;
    private static final int JSONB_FORMAT = 1;
    private static final long LAST_MS = 253_402_300_799_999L;
    private static final String DEFAULT_NAMESPACE = "default";

    private final Map<String, Integer> places;
    private final Consumer<String> lacks;

    /** @param lacks told the columns that the table does not have */
    EventForm(DescribedTable table, Consumer<String> lacks) {
        this.places = table.places();
        this.lacks = lacks;
    }

    /** @param micros the time of the row, microseconds since 2000 */
    static byte[] key(long micros, byte[] stream, byte[] id) {
        return ByteBuffer.allocate(1 + Long.BYTES + Integer.BYTES + stream.length + id.length)
                .put(KEY)
                .putLong(micros)
                .putInt(stream.length)
                .put(stream)
                .put(id)
                .array();
    }

    static boolean isKey(byte[] key) {
        return key.length > 0 && key[0] == KEY;
    }

    /** Returns the key of a stored event of that stream. */
    static byte[] keyOf(byte[] stream, byte[] event) throws BadRowException {
        LogBytes in = open(event);
        in.readByte();
        byte[] id = in.readBytes();
        return key(PostgresTime.ofMs(in.readLong()), stream, id);
    }

    private static LogBytes open(byte[] event) throws BadRowException {
        LogBytes in = new LogBytes(event);
        int form = in.readByte();
        if (form == MARKED) {
            in.skip(Long.BYTES);
        } else if (form != PLAIN) {
            throw new BadRowException("it has the form " + form + ", which this version of the sink does not know");
        }
        return in;
    }

    void readKey(byte[] key, Tuple tuple) throws BadRowException {
        ByteBuffer in = ByteBuffer.wrap(key, 1, key.length - 1);
        time("stored_at", in.getLong(), tuple);
        int size = in.getInt();
        text("stream", key, in.position(), in.position() + size, tuple);
        text("event_id", key, in.position() + size, key.length, tuple);
    }

    void read(byte[] key, byte[] event, Tuple tuple) throws BadRowException {
        readKey(key, tuple);
        namespace(key, tuple);
        LogBytes in = open(event);
        int flags = in.readByte();
        truth("terminal", (flags & IS_PROTECTED) == 0, tuple);
        in.skipBytes();
        in.readLong();
        time("occurred_at", PostgresTime.ofMs(clamped(in.readLong())), tuple);
        number("execution", in.readSize(), tuple);
        in.readSize();
        number("size_bytes", in.readSize(), tuple);
        if ((flags & HAS_COMPLETED_AT) != 0) {
            time("completed_at", PostgresTime.ofMs(clamped(in.readLong())), tuple);
        }
        readTtl(flags, in, tuple);
        text("type", in, tuple);
        readText("status", flags, HAS_STATUS, in, tuple);
        readText("correlation_id", flags, HAS_CORRELATION_ID, in, tuple);
        readText("content_type", flags, HAS_CONTENT_TYPE, in, tuple);
        readMetadata(in, tuple);
        int place = place("payload");
        if (place >= 0) {
            in.writeBytes(tuple.begin(place));
            tuple.end(place);
        }
    }

    /**
     * Reads the TTL. The flag of an endless life together with a time says that a command has set or taken away the TTL;
     * then the event has no seconds of its own.
     */
    private void readTtl(int flags, LogBytes in, Tuple tuple) throws BadRowException {
        boolean hasTime = (flags & (HAS_TTL_SECONDS | HAS_EXPIRES_AT)) != 0;
        boolean isMarked = (flags & NO_EXPIRATION) != 0;
        truth("no_expiration", isMarked && !hasTime, tuple);
        if ((flags & HAS_TTL_SECONDS) != 0) {
            long seconds = in.readLong();
            if (!isMarked) {
                number("ttl_seconds", seconds, tuple);
            }
        }
        if ((flags & HAS_EXPIRES_AT) != 0) {
            time("expires_at", PostgresTime.ofMs(clamped(in.readLong())), tuple);
        }
    }

    private void readMetadata(LogBytes in, Tuple tuple) throws BadRowException {
        long size = in.readSize();
        int place = place("metadata");
        CopyBuffer out = place < 0 ? new CopyBuffer() : tuple.begin(place);
        int begin = out.putInt(0).length();
        out.putByte(JSONB_FORMAT).putByte('{');
        for (long i = 0; i < size; i++) {
            if (i > 0) {
                out.putByte(',');
            }
            in.writeQuoted(out);
            out.putByte(':');
            in.writeQuoted(out);
        }
        out.putByte('}').setLengthBefore(begin);
        if (place >= 0) {
            tuple.end(place);
        }
    }

    private void readText(String name, int flags, int flag, LogBytes in, Tuple tuple) throws BadRowException {
        if ((flags & flag) != 0) {
            text(name, in, tuple);
        }
    }

    private void namespace(byte[] key, Tuple tuple) {
        int begin = 1 + Long.BYTES + Integer.BYTES;
        int end = begin + ByteBuffer.wrap(key).getInt(1 + Long.BYTES);
        int slash = begin;
        while (slash < end && key[slash] != '/') {
            slash++;
        }
        if (slash < end) {
            text("namespace", key, begin, slash, tuple);
        } else {
            byte[] name = DEFAULT_NAMESPACE.getBytes(StandardCharsets.UTF_8);
            text("namespace", name, 0, name.length, tuple);
        }
    }

    private void text(String name, byte[] text, int from, int to, Tuple tuple) {
        int place = place(name);
        if (place >= 0) {
            CopyBuffer out = tuple.begin(place);
            int begin = out.putInt(0).length();
            LogBytes.writeText(text, from, to, out);
            out.setLengthBefore(begin);
            tuple.end(place);
        }
    }

    private void text(String name, LogBytes in, Tuple tuple) throws BadRowException {
        int place = place(name);
        if (place < 0) {
            in.skipBytes();
        } else {
            in.writeText(tuple.begin(place));
            tuple.end(place);
        }
    }

    private void time(String name, long micros, Tuple tuple) {
        number(name, micros, tuple);
    }

    private void number(String name, long value, Tuple tuple) {
        int place = place(name);
        if (place >= 0) {
            tuple.begin(place).putInt(Long.BYTES).putLong(value);
            tuple.end(place);
        }
    }

    private void truth(String name, boolean value, Tuple tuple) {
        int place = place(name);
        if (place >= 0) {
            tuple.begin(place).putInt(1).putByte(value ? 1 : 0);
            tuple.end(place);
        }
    }

    /** Returns the place of the column; negative if the table, which may be older than the event, has none. */
    private int place(String name) {
        Integer place = places.get(name);
        if (place == null) {
            lacks.accept(name);
            return -1;
        }
        return place;
    }

    private static long clamped(long epochMs) {
        return Math.min(Math.max(epochMs, 0), LAST_MS);
    }
}
