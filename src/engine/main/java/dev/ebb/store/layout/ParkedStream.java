package dev.ebb.store.layout;

import dev.ebb.domain.Sha256;
import dev.ebb.domain.event.Wait;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The records of one Kafka key that wait, as the usage store has it: how many, since when and for what. Nothing else is
 * kept of them in memory. Not thread-safe.
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

    /** Size of the first record, known since it was read last; nothing else is kept of a record. */
    private int bytesOfFirst = UNKNOWN;

    public ParkedStream(Bytes name, long number, long sinceMs, Wait waitsFor) {
        this.name = name;
        this.number = number;
        this.sinceMs = sinceMs;
        this.waitsFor = waitsFor;
    }

    /** Name that tells a Kafka key from others: the key if it is short, its hash if it is not, or a mark for no key. */
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

    /** The Kafka key as a text; empty if there is no key, or if it is longer than the name of any stream. */
    public String key() {
        byte[] bytesOfName = name.get();
        return bytesOfName[0] == KEY ? new String(bytesOfName, 1, bytesOfName.length - 1, StandardCharsets.UTF_8) : "";
    }

    /** Number of the stream, which counts up within the partition in the order in which streams had to wait. */
    public long number() {
        return number;
    }

    /** Number of records of the key that wait. */
    public long records() {
        return next - head;
    }

    /** Size of the waiting records in the store, in bytes. */
    public long bytes() {
        return bytes;
    }

    /** Time since which the stream waits, epoch milliseconds. */
    public long sinceMs() {
        return sinceMs;
    }

    /** The condition that the first record waits for; the others wait for that record. */
    public Wait waitsFor() {
        return waitsFor;
    }

    public Bytes name() {
        return name;
    }

    public void waitsFor(Wait newWait) {
        waitsFor = newWait;
    }

    /** The number of the first record. */
    public long head() {
        return head;
    }

    /** The key of the first record. */
    public Bytes first() {
        return EventKeys.parked(number, head);
    }

    /** Counts one more record; returns the record's key. */
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

    /** Returns by how many bytes the records shrink; with the last one go all bytes that a missing one left behind. */
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
