package dev.ebb.store.layout;

import dev.ebb.domain.event.StreamName;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Writes a run: the record of the changelog that stands for many removals. Stores take it for the removal of each of its
 * keys, and the sink for the removal of the rows of these events.
 *
 * <p>A byte for its form, then parts, each of one stream: the name of the stream, twice the number of its events, and
 * for each event its key, its {@code storedAt} and its id. Keys and ids name the number of bytes that they share with
 * the one before, and times are differences, since a sweep goes along a stream. A part without a name is of events that
 * have no rows in SQL (F-13). A part of rows without events has twice
 * their number plus one, and for each row its time in microseconds since 1970 (eight bytes) and its id; stores pass over
 * it. Not thread-safe.
 */
public final class RunWriter {

    static final int FORM = 1;
    static final byte KEY = 'R';

    private static final int EXPECTED_BYTES = 256;
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1000;
    private static final byte[] NOTHING = {};

    private final Set<Integer> sids = new HashSet<>();
    private ByteWriter parts = new ByteWriter(EXPECTED_BYTES);
    private ByteWriter part = new ByteWriter(EXPECTED_BYTES);
    /** The name of the stream of the part; empty for events without rows. */
    private String stream = "";

    private boolean isOfRows;
    private int lastSid;
    private byte[] firstKey = NOTHING;
    private byte[] lastKey = NOTHING;
    private byte[] lastId = NOTHING;
    private long lastStoredAt;
    private int inPart;
    private int all;

    /**
     * Adds an event.
     *
     * @param of the stream of the event; null if SQL has no row of the event
     * @param storedAt the {@code storedAt} of the event, epoch milliseconds
     */
    public void add(@Nullable StreamName of, Bytes key, long storedAt, String id) {
        begin(of == null ? "" : of.value(), false);
        byte[] keyBytes = key.get();
        byte[] idBytes = id.getBytes(StandardCharsets.UTF_8);
        if (all == 0) {
            firstKey = keyBytes;
        }
        int sid = EventKeys.sidOf(keyBytes);
        if (sids.isEmpty() || sid != lastSid) {
            sids.add(sid);
            lastSid = sid;
        }
        writeAfter(lastKey, keyBytes);
        long difference = storedAt - lastStoredAt;
        part.writeVarLong((difference << 1) ^ (difference >> (Long.SIZE - 1)));
        writeAfter(lastId, idBytes);
        lastKey = keyBytes;
        lastId = idBytes;
        lastStoredAt = storedAt;
        count();
    }

    /** Adds a row that no event has; its time may be any that SQL can hold. */
    public void addRow(StreamName of, Instant storedAt, String id) {
        begin(of.value(), true);
        byte[] idBytes = id.getBytes(StandardCharsets.UTF_8);
        if (all == 0) {
            firstKey = idBytes;
        }
        part.writeLong(micros(storedAt)).writeBytes(idBytes);
        count();
    }

    /** A time outside the range of a long is infinity in PostgreSQL, the only such time that a row can have. */
    private static long micros(Instant time) {
        try {
            long seconds = Math.multiplyExact(time.getEpochSecond(), MICROS_PER_SECOND);
            return Math.addExact(seconds, time.getNano() / NANOS_PER_MICRO);
        } catch (ArithmeticException e) {
            return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    private void begin(String of, boolean rows) {
        if (inPart > 0 && (isOfRows != rows || !of.equals(stream))) {
            endPart();
        }
        stream = of;
        isOfRows = rows;
    }

    private void count() {
        inPart++;
        all++;
    }

    private void writeAfter(byte[] before, byte[] bytes) {
        int mismatch = Arrays.mismatch(before, bytes);
        int shared = mismatch < 0 ? bytes.length : mismatch;
        part.writeVarLong(shared).writeBytes(bytes, shared);
    }

    private void endPart() {
        if (inPart > 0) {
            parts.writeText(stream).writeVarLong(2L * inPart + (isOfRows ? 1 : 0));
            parts.writeRaw(part.toBytes());
            part = new ByteWriter(EXPECTED_BYTES);
            lastKey = NOTHING;
            lastId = NOTHING;
            lastStoredAt = 0;
            inPart = 0;
        }
    }

    /** Returns the number of removals that have been added. */
    public int size() {
        return all;
    }

    /** Returns about the size of the record, in bytes. */
    public int sizeBytes() {
        return parts.length() + part.length();
    }

    /** Returns true if an event of the stream with this number has been added. */
    public boolean has(int sid) {
        return sids.contains(sid);
    }

    /**
     * Returns the key of the record: another one for each run, so that a compaction of the log, which is a mistake,
     * would take none.
     */
    public byte[] key() {
        byte[] key = Arrays.copyOf(new byte[] {KEY}, 1 + firstKey.length);
        System.arraycopy(firstKey, 0, key, 1, firstKey.length);
        return key;
    }

    /** Returns the record, and begins with the next one. */
    public byte[] take() {
        endPart();
        byte[] whole = new ByteWriter(1 + parts.length())
                .writeByte(FORM)
                .writeRaw(parts.toBytes())
                .toBytes();
        clear();
        return whole;
    }

    /** Forgets all that has been added. */
    public void clear() {
        parts = new ByteWriter(EXPECTED_BYTES);
        part = new ByteWriter(EXPECTED_BYTES);
        sids.clear();
        stream = "";
        firstKey = NOTHING;
        lastKey = NOTHING;
        lastId = NOTHING;
        lastStoredAt = 0;
        inPart = 0;
        all = 0;
    }
}
