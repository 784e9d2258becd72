package dev.ebb.store.parking;

import dev.ebb.domain.Sha256;
import dev.ebb.domain.event.Wait;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.layout.EventKeys;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The waiting records of one Kafka key, as the usage store describes them: their number, and since when and for what
 * they wait. Memory holds nothing else of them. Not thread-safe.
 */
public final class ParkedStream {

    private static final byte NO_KEY = 0;
    private static final byte KEY = 1;
    private static final byte HASH = 2;

    /** A longer key is known by its hash: no stream has a longer name, and a megabyte must not be kept. */
    private static final int MAX_KEY_BYTES = 255;

    public static final int UNKNOWN = -1;

    private final Bytes name;
    private final long number;
    private final long sinceMs;
    private long head;
    private long next;
    private long bytes;
    private Wait waitsFor;

    /** The size of the first record, known once the record has been read; nothing else is kept of a record. */
    private int bytesOfFirst = UNKNOWN;

    public ParkedStream(Bytes name, long number, long sinceMs, Wait waitsFor) {
        this.name = name;
        this.number = number;
        this.sinceMs = sinceMs;
        this.waitsFor = waitsFor;
    }

    /**
     * Returns the name that identifies a Kafka key: the key itself if it is short, else its hash, or a mark for no key.
     */
    public static Bytes nameOf(byte @Nullable [] key) {
        if (key == null) {
            return Bytes.wrap(new byte[] {NO_KEY});
        }
        return key.length <= MAX_KEY_BYTES ? tagged(KEY, key) : tagged(HASH, Sha256.of(key));
    }

    private static Bytes tagged(byte tag, byte[] content) {
        byte[] name = new byte[1 + content.length];
        name[0] = tag;
        System.arraycopy(content, 0, name, 1, content.length);
        return Bytes.wrap(name);
    }

    /** Returns the Kafka key as a text; empty if there is no key, or if the key is longer than any stream name. */
    public String key() {
        byte[] bytesOfName = name.get();
        return bytesOfName[0] == KEY ? new String(bytesOfName, 1, bytesOfName.length - 1, StandardCharsets.UTF_8) : "";
    }

    /**
     * Returns the number of the stream. Numbers count up within the partition, in the order in which streams had to
     * wait.
     */
    public long number() {
        return number;
    }

    /** Returns the number of waiting records of the key. */
    public long records() {
        return next - head;
    }

    /** Returns the size of the waiting records in the store, in bytes. */
    public long bytes() {
        return bytes;
    }

    /** Returns the time since which the stream waits, epoch milliseconds. */
    public long sinceMs() {
        return sinceMs;
    }

    /** Returns the condition that the first record waits for; the others wait for the first record. */
    public Wait waitsFor() {
        return waitsFor;
    }

    public Bytes name() {
        return name;
    }

    public void waitsFor(Wait newWait) {
        waitsFor = newWait;
    }

    /** Returns the number of the first record. */
    public long head() {
        return head;
    }

    /** Returns the key of the first record. */
    public Bytes first() {
        return EventKeys.parked(number, head);
    }

    /** Adds a record; returns its key. */
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

    /**
     * Removes the first record; returns the bytes by which the records shrink. The last record takes all bytes that a
     * missing record left behind.
     */
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
