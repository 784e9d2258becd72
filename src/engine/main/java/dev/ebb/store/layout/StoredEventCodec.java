package dev.ebb.store.layout;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.source.SourcePlace;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a stored event. The header comes first, the payload last. The stream is left out, since the key names it
 * by its number. If the key does not give an event's whole place, a mark before the header gives the rest. Stateless.
 */
public final class StoredEventCodec {

    private static final int FORMAT = 1;
    private static final int MARKED_FORMAT = 2;

    /** Beside the format: the event was made from a record of a log, and its metadata names the place (F-8). */
    private static final int OF_LOG = 1 << 4;

    private static final int MARK_BYTES = Long.BYTES;
    private static final int FIXED_BYTES = 96;

    private static final int HAS_STATUS = 1;
    private static final int HAS_COMPLETED_AT = 1 << 1;
    private static final int HAS_TTL_SECONDS = 1 << 2;
    private static final int HAS_EXPIRES_AT = 1 << 3;

    /**
     * The life of the event has no end. No such event has a TTL: together with {@link #HAS_EXPIRES_AT} this flag says
     * that a command has set the TTL, and with {@link #HAS_TTL_SECONDS} that a command has taken it away. So the mark
     * of commands costs other events nothing.
     */
    private static final int NO_EXPIRATION = 1 << 4;

    /** Written where a command has taken the TTL away. */
    private static final Long NO_SECONDS = 0L;

    private static final int HAS_CORRELATION_ID = 1 << 5;
    private static final int HAS_CONTENT_TYPE = 1 << 6;
    private static final int IS_PROTECTED = 1 << 7;

    private StoredEventCodec() {}

    public static byte[] encode(StoredEvent stored, long sizeBytes) {
        Event event = stored.event();
        ByteWriter out = new ByteWriter((int) sizeBytes + FIXED_BYTES);
        out.writeByte(FORMAT | flag(isOfLog(event), OF_LOG)).writeByte(flags(stored));
        writeHeader(out, stored, sizeBytes);
        out.writeText(event.type()).writeOptionalText(event.status());
        out.writeOptionalText(event.correlationId()).writeOptionalText(event.contentType());
        out.writeVarLong(event.metadata().size());
        event.metadata().forEach((key, value) -> out.writeText(key).writeText(value));
        return out.writeBytes(event.payload()).toBytes();
    }

    /** The place of a record of a log has no key. */
    private static boolean isOfLog(Event event) {
        String place = event.metadata().get(SourcePlace.METADATA);
        return place != null && place.contains("//");
    }

    /** Returns the place of the record of a log from which the event was made; null if it was made from none. */
    public static @Nullable SourcePlace placeOf(byte[] bytes) {
        if ((bytes[0] & OF_LOG) == 0) {
            return null;
        }
        ByteReader in = open(bytes);
        int flags = in.readByte();
        in.skipText(null);
        skipRestOfHeader(in, flags);
        in.skipText(null);
        for (int left = Integer.bitCount(flags & (HAS_STATUS | HAS_CORRELATION_ID | HAS_CONTENT_TYPE));
                left > 0;
                left--) {
            in.skipText(null);
        }
        String place = readMetadata(in).get(SourcePlace.METADATA);
        return place == null ? null : SourcePlace.parse(place);
    }

    public static EventHeader decodeHeader(byte[] bytes) {
        ByteReader in = open(bytes);
        return readHeader(in, in.readByte());
    }

    public static StoredEvent decode(StreamName stream, byte[] bytes) {
        ByteReader in = open(bytes);
        int flags = in.readByte();
        EventHeader header = readHeader(in, flags);
        Event event = readEvent(in, flags, stream, header);
        return new StoredEvent(event, header.storedAt(), header.seq(), header.isProtected());
    }

    private static Event readEvent(ByteReader in, int flags, StreamName stream, EventHeader header) {
        String type = in.readText();
        String status = optionalText(in, flags, HAS_STATUS);
        String correlationId = optionalText(in, flags, HAS_CORRELATION_ID);
        String contentType = optionalText(in, flags, HAS_CONTENT_TYPE);
        return new Event(
                stream,
                new EventId(header.id()),
                type,
                status,
                header.occurredAt(),
                header.completedAt(),
                header.ttl(),
                header.execution(),
                correlationId,
                readMetadata(in),
                contentType,
                in.readBytes());
    }

    /** Returns the bytes of the event with this mark, whatever mark it had. */
    static byte[] marked(byte[] bytes, long mark) {
        int bodyStart = bodyStart(bytes);
        byte[] marked = new byte[1 + MARK_BYTES + bytes.length - bodyStart];
        ByteBuffer.wrap(marked)
                .put((byte) (MARKED_FORMAT | (bytes[0] & OF_LOG)))
                .putLong(mark)
                .put(bytes, bodyStart, bytes.length - bodyStart);
        return marked;
    }

    /** Returns the bytes of the event without a mark. */
    static byte[] unmarked(byte[] bytes) {
        int bodyStart = bodyStart(bytes);
        if (bodyStart == 1) {
            return bytes;
        }
        byte[] unmarked = new byte[1 + bytes.length - bodyStart];
        ByteBuffer.wrap(unmarked)
                .put((byte) (FORMAT | (bytes[0] & OF_LOG)))
                .put(bytes, bodyStart, bytes.length - bodyStart);
        return unmarked;
    }

    /** Returns the mark of an event that has one. */
    static long markOf(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong(1);
    }

    private static int bodyStart(byte[] bytes) {
        return (bytes[0] & ~OF_LOG) == MARKED_FORMAT ? 1 + MARK_BYTES : 1;
    }

    /** Returns the part of the event that the id index needs. */
    public static Identity decodeIdentity(byte[] bytes) {
        ByteReader in = open(bytes);
        int flags = in.readByte();
        byte[] id = in.readBytes();
        in.skip(2 * Long.BYTES);
        long execution = in.readVarLong();
        long seq = in.readVarLong();
        return new Identity(id, execution, seq, in.readVarLong(), isEndless(flags));
    }

    /**
     * Returns the readable part of a damaged header: the fields that name its index entries and its row. The others are
     * missing, and the event counts as terminal.
     */
    public static EventHeader salvageHeader(byte[] bytes) {
        ByteReader in = open(bytes);
        in.readByte();
        String id = in.readText();
        long storedAt = in.readLong();
        long occurredAt = in.readLong();
        long execution = in.readVarLong();
        long seq = in.readVarLong();
        return new EventHeader(
                id, storedAt, occurredAt, occurredAt, OwnTtl.NONE, false, execution, seq, in.readVarLong());
    }

    /** Moves to the id of an event; returns the flags, which the further reads need. */
    static int openTexts(ByteReader in) {
        start(in);
        return in.readByte();
    }

    /** Moves from the end of the id to the type; returns true. */
    static boolean skipRestOfHeader(ByteReader in, int flags) {
        in.skip(2 * Long.BYTES);
        in.readVarLong();
        in.readVarLong();
        in.readVarLong();
        in.skip(Long.BYTES * Integer.bitCount(flags & (HAS_COMPLETED_AT | HAS_TTL_SECONDS | HAS_EXPIRES_AT)));
        return true;
    }

    static boolean hasStatus(int flags) {
        return (flags & HAS_STATUS) != 0;
    }

    static boolean hasCorrelationId(int flags) {
        return (flags & HAS_CORRELATION_ID) != 0;
    }

    static boolean hasContentType(int flags) {
        return (flags & HAS_CONTENT_TYPE) != 0;
    }

    private static ByteReader open(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        start(in);
        return in;
    }

    private static void start(ByteReader in) {
        int format = in.readByte() & ~OF_LOG;
        if (format == MARKED_FORMAT) {
            in.skip(MARK_BYTES);
        } else if (format != FORMAT) {
            // A new way of writing events raises the number of the state format, which is checked first.
            throw new IllegalStateException("damaged: an event is written in the unknown way " + format);
        }
    }

    private static void writeHeader(ByteWriter out, StoredEvent stored, long sizeBytes) {
        Event event = stored.event();
        OwnTtl ttl = event.ttl();
        out.writeText(event.id().value());
        out.writeLong(stored.storedAt()).writeLong(Objects.requireNonNull(event.occurredAt()));
        out.writeVarLong(event.execution()).writeVarLong(stored.seq()).writeVarLong(sizeBytes);
        writeOptionalLong(out, event.completedAt());
        writeOptionalLong(out, isTakenAway(ttl) ? NO_SECONDS : ttl.ttlSeconds());
        writeOptionalLong(out, ttl.expiresAt());
    }

    private static EventHeader readHeader(ByteReader in, int flags) {
        String id = in.readText();
        long storedAt = in.readLong();
        long occurredAt = in.readLong();
        long execution = in.readVarLong();
        long seq = in.readVarLong();
        long sizeBytes = in.readVarLong();
        Long completedAt = optionalLong(in, flags, HAS_COMPLETED_AT);
        Long ttlSeconds = optionalLong(in, flags, HAS_TTL_SECONDS);
        Long expiresAt = optionalLong(in, flags, HAS_EXPIRES_AT);
        OwnTtl ttl = ttl(flags, ttlSeconds, expiresAt);
        boolean isProtected = (flags & IS_PROTECTED) != 0;
        return new EventHeader(id, storedAt, occurredAt, completedAt, ttl, isProtected, execution, seq, sizeBytes);
    }

    private static OwnTtl ttl(int flags, @Nullable Long ttlSeconds, @Nullable Long expiresAt) {
        boolean isMarked = (flags & NO_EXPIRATION) != 0;
        if (isMarked && !isEndless(flags)) {
            return expiresAt == null ? OwnTtl.TAKEN_AWAY : new OwnTtl(null, expiresAt, false, true);
        }
        return OwnTtl.of(ttlSeconds, expiresAt, isMarked);
    }

    private static boolean isEndless(int flags) {
        return (flags & (NO_EXPIRATION | HAS_TTL_SECONDS | HAS_EXPIRES_AT)) == NO_EXPIRATION;
    }

    private static boolean isTakenAway(OwnTtl ttl) {
        return ttl.isByCommand() && ttl.expiresAt() == null;
    }

    private static int flags(StoredEvent stored) {
        Event event = stored.event();
        return flag(event.status() != null, HAS_STATUS)
                | flag(event.completedAt() != null, HAS_COMPLETED_AT)
                | flag(event.ttl().ttlSeconds() != null || isTakenAway(event.ttl()), HAS_TTL_SECONDS)
                | flag(event.ttl().expiresAt() != null, HAS_EXPIRES_AT)
                | flag(event.ttl().noExpiration() || event.ttl().isByCommand(), NO_EXPIRATION)
                | flag(event.correlationId() != null, HAS_CORRELATION_ID)
                | flag(event.contentType() != null, HAS_CONTENT_TYPE)
                | flag(stored.isProtected(), IS_PROTECTED);
    }

    private static int flag(boolean isSet, int flag) {
        return isSet ? flag : 0;
    }

    private static void writeOptionalLong(ByteWriter out, @Nullable Long value) {
        if (value != null) {
            out.writeLong(value);
        }
    }

    private static @Nullable Long optionalLong(ByteReader in, int flags, int flag) {
        return (flags & flag) == 0 ? null : (Long) in.readLong();
    }

    private static @Nullable String optionalText(ByteReader in, int flags, int flag) {
        return (flags & flag) == 0 ? null : in.readText();
    }

    private static Map<String, String> readMetadata(ByteReader in) {
        int size = (int) in.readVarLong();
        Map<String, String> metadata = new HashMap<>();
        for (int i = 0; i < size; i++) {
            metadata.put(in.readText(), in.readText());
        }
        return metadata;
    }

    /**
     * The part of a header from which the id index is made.
     *
     * @param id the bytes of the id
     * @param noExpiration true if the producer asked for no expiration
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Identity(byte[] id, long execution, long seq, long sizeBytes, boolean noExpiration) {}
}
