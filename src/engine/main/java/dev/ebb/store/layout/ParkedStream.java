package dev.ebb.store.layout;

import dev.ebb.domain.event.Wait;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The records of one Kafka key that wait, as the usage store has it: how many, since when and for what. It is all that is
 * kept in memory of them. Not thread-safe.
 */
public final class ParkedStream {

    private static final byte NO_KEY = 0;
    private static final byte KEY = 1;
    private static final byte HASH = 2;

    /** A longer key is known by its hash: no stream has a longer name, and nothing may be kept of a megabyte. */
    private static final int MAX_KEY_BYTES = 255;

    public static final int UNKNOWN = -1;

    private final Bytes name;
    private final long number;
    private final long sinceMs;
    private long head;
    private long next;
    private long bytes;
    private Wait waitsFor;

    /** Known since it was read last; nothing else is kept of a record. */
    private int bytesOfFirst = UNKNOWN;

    public ParkedStream(Bytes name, long number, long sinceMs, Wait waitsFor) {
        this.name = name;
        this.number = number;
        this.sinceMs = sinceMs;
        this.waitsFor = waitsFor;
    }

    /** What tells a Kafka key from others: itself if it is short, its hash if it is not, or that there is none. */
    public static Bytes nameOf(byte @Nullable [] key) {
        if (key == null) {
            return Bytes.wrap(new byte[] {NO_KEY});
        }
        return key.length <= MAX_KEY_BYTES ? tagged(KEY, key) : tagged(HASH, hash(key));
    }

    private static Bytes tagged(byte tag, byte[] content) {
        byte[] name = new byte[1 + content.length];
        name[0] = tag;
        System.arraycopy(content, 0, name, 1, content.length);
        return Bytes.wrap(name);
    }

    private static byte[] hash(byte[] key) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(key);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The Kafka key as a text; empty if there is none, or if it is longer than the name of any stream. */
    public String key() {
        byte[] bytesOfName = name.get();
        return bytesOfName[0] == KEY ? new String(bytesOfName, 1, bytesOfName.length - 1, StandardCharsets.UTF_8) : "";
    }

    /** Counts up within the partition, in the order in which streams had to wait. */
    public long number() {
        return number;
    }

    /** How many of its records wait. */
    public long records() {
        return next - head;
    }

    /** How much they take in the store, in bytes. */
    public long bytes() {
        return bytes;
    }

    /** Since when it waits, epoch milliseconds. */
    public long sinceMs() {
        return sinceMs;
    }

    /** What its first record waits for; the others wait for that one. */
    public Wait waitsFor() {
        return waitsFor;
    }

    public Bytes name() {
        return name;
    }

    public void waitsFor(Wait newWait) {
        waitsFor = newWait;
    }

    /** The number of its first record. */
    public long head() {
        return head;
    }

    /** The key of its first record. */
    public Bytes first() {
        return EventKeys.parked(number, head);
    }

    /** Counts one more record; returns its key. */
    public Bytes add(long recordBytes) {
        bytes += recordBytes;
        return EventKeys.parked(number, next++);
    }

    public int bytesOfFirst() {
        return bytesOfFirst;
    }

    public void bytesOfFirst(int recordBytes) {
        bytesOfFirst = recordBytes;
    }

    /** Returns by how many bytes it takes less: with the last record all that one missing has left behind. */
    public long removeFirst() {
        long gone = records() == 1 ? bytes : bytesOfFirst;
        bytes -= gone;
        bytesOfFirst = UNKNOWN;
        head++;
        return gone;
    }

    public byte[] encode() {
        return new ByteWriter(128)
                .writeLong(number)
                .writeLong(head)
                .writeLong(next)
                .writeLong(bytes)
                .writeLong(sinceMs)
                .writeText(waitsFor.what())
                .writeText(waitsFor.kind().name())
                .writeText(waitsFor.problem())
                .toBytes();
    }

    public static ParkedStream decode(byte[] name, byte[] value) {
        ByteReader in = new ByteReader(value);
        long number = in.readLong();
        long head = in.readLong();
        long next = in.readLong();
        long bytes = in.readLong();
        long sinceMs = in.readLong();
        Wait wait = new Wait(in.readText(), Wait.Kind.valueOf(in.readText()), in.readText());
        ParkedStream stream = new ParkedStream(Bytes.wrap(name), number, sinceMs, wait);
        stream.head = head;
        stream.next = next;
        stream.bytes = bytes;
        return stream;
    }
}
