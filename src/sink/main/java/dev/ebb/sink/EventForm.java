package dev.ebb.sink;

import dev.ebb.sink.Tuple.Column;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Function;

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

    /** Beside the form: the event was made from a record of a log, which is no matter for its row. */
    private static final int OF_LOG = 1 << 4;

    private static final int HAS_STATUS = 1;
    private static final int HAS_COMPLETED_AT = 1 << 1;
    private static final int HAS_TTL_SECONDS = 1 << 2;
    private static final int HAS_EXPIRES_AT = 1 << 3;
    private static final int NO_EXPIRATION = 1 << 4;
    private static final int HAS_CORRELATION_ID = 1 << 5;
    private static final int HAS_CONTENT_TYPE = 1 << 6;
    private static final int IS_PROTECTED = 1 << 7;
    private static final long LAST_MS = 253_402_300_799_999L;
    private static final byte[] DEFAULT_NAMESPACE = "default".getBytes(StandardCharsets.UTF_8);

    private final Column storedAt;
    private final Column stream;
    private final Column eventId;
    private final Column namespace;
    private final Column terminal;
    private final Column occurredAt;
    private final Column execution;
    private final Column sizeBytes;
    private final Column completedAt;
    private final Column noExpiration;
    private final Column ttlSeconds;
    private final Column expiresAt;
    private final Column type;
    private final Column status;
    private final Column correlationId;
    private final Column contentType;
    private final Column metadata;
    private final Column payload;

    /** @param lacks told the columns that the table does not have */
    EventForm(DescribedTable table, Consumer<String> lacks) {
        Function<String, Column> column = Column.of(table, lacks);
        storedAt = column.apply("stored_at");
        stream = column.apply("stream");
        eventId = column.apply("event_id");
        namespace = column.apply("namespace");
        terminal = column.apply("terminal");
        occurredAt = column.apply("occurred_at");
        execution = column.apply("execution");
        sizeBytes = column.apply("size_bytes");
        completedAt = column.apply("completed_at");
        noExpiration = column.apply("no_expiration");
        ttlSeconds = column.apply("ttl_seconds");
        expiresAt = column.apply("expires_at");
        type = column.apply("type");
        status = column.apply("status");
        correlationId = column.apply("correlation_id");
        contentType = column.apply("content_type");
        metadata = column.apply("metadata");
        payload = column.apply("payload");
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
        int form = in.readByte() & ~OF_LOG;
        if (form == MARKED) {
            in.skip(Long.BYTES);
        } else if (form != PLAIN) {
            throw new BadRowException("it has the form " + form + ", which this version of the sink does not know");
        }
        return in;
    }

    void readKey(byte[] key, Tuple tuple) throws BadRowException {
        ByteBuffer in = ByteBuffer.wrap(key, 1, key.length - 1);
        storedAt.write(in.getLong(), tuple);
        int size = in.getInt();
        stream.writeText(key, in.position(), in.position() + size, tuple);
        eventId.writeText(key, in.position() + size, key.length, tuple);
    }

    void read(byte[] key, byte[] event, Tuple tuple) throws BadRowException {
        readKey(key, tuple);
        writeNamespace(key, tuple);
        LogBytes in = open(event);
        int flags = in.readByte();
        terminal.writeTruth((flags & IS_PROTECTED) == 0, tuple);
        in.skipBytes();
        in.readLong();
        occurredAt.write(readTime(in), tuple);
        execution.write(in.readSize(), tuple);
        in.readSize();
        sizeBytes.write(in.readSize(), tuple);
        if ((flags & HAS_COMPLETED_AT) != 0) {
            completedAt.write(readTime(in), tuple);
        }
        readTtl(flags, in, tuple);
        type.readText(in, tuple);
        if ((flags & HAS_STATUS) != 0) {
            status.readText(in, tuple);
        }
        if ((flags & HAS_CORRELATION_ID) != 0) {
            correlationId.readText(in, tuple);
        }
        if ((flags & HAS_CONTENT_TYPE) != 0) {
            contentType.readText(in, tuple);
        }
        metadata.readObject(in, tuple);
        payload.readBytes(in, tuple);
    }

    /**
     * Reads the TTL. The flag of an endless life together with a time says that a command has set or taken away the TTL;
     * then the event has no seconds of its own.
     */
    private void readTtl(int flags, LogBytes in, Tuple tuple) throws BadRowException {
        boolean hasTime = (flags & (HAS_TTL_SECONDS | HAS_EXPIRES_AT)) != 0;
        boolean isMarked = (flags & NO_EXPIRATION) != 0;
        noExpiration.writeTruth(isMarked && !hasTime, tuple);
        if ((flags & HAS_TTL_SECONDS) != 0) {
            long seconds = in.readLong();
            if (!isMarked) {
                ttlSeconds.write(seconds, tuple);
            }
        }
        if ((flags & HAS_EXPIRES_AT) != 0) {
            expiresAt.write(readTime(in), tuple);
        }
    }

    private void writeNamespace(byte[] key, Tuple tuple) {
        int begin = 1 + Long.BYTES + Integer.BYTES;
        int end = begin + ByteBuffer.wrap(key).getInt(1 + Long.BYTES);
        int slash = begin;
        while (slash < end && key[slash] != '/') {
            slash++;
        }
        if (slash < end) {
            namespace.writeText(key, begin, slash, tuple);
        } else {
            namespace.writeText(DEFAULT_NAMESPACE, 0, DEFAULT_NAMESPACE.length, tuple);
        }
    }

    private static long readTime(LogBytes in) throws BadRowException {
        return PostgresTime.ofMs(Math.min(Math.max(in.readLong(), 0), LAST_MS));
    }
}
