package dev.ebb.store.layout;

import dev.ebb.domain.event.StreamName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;

/**
 * The keys of the usage store. The key of a stream's record is the stream's name, which never begins with a control
 * character; all other keys begin with one.
 */
public final class UsageKeys {

    /** {@code -> task}. The memory of the task besides its streams. */
    public static final byte TASK = 0;
    /** {@code sid | execution -> segment}. The executions above 0. */
    public static final byte EXECUTION = 1;
    /** {@code sid -> retired stream}. Deleted streams whose events are not all gone. */
    public static final byte RETIRED = 2;
    /** {@code name -> bytes}. Pending work. */
    public static final byte PENDING = 3;
    /** {@code name -> bytes}. Finished work. */
    public static final byte DONE = 4;
    /** {@code time | name -> nothing}. The time at which work was finished, so that it can be forgotten. */
    public static final byte DONE_AT = 5;

    /** {@code -> format}. See {@link StateFormat}. */
    public static final byte FORMAT = 6;

    /** {@code name of the Kafka key -> parked stream}. Kafka keys with waiting records, see {@code ParkedStream}. */
    public static final byte PARKED = 7;

    /** {@code name -> grave}. The delete of a stream of this name, see {@link Grave}. */
    public static final byte GRAVE = 8;

    /** {@code time | name -> nothing}. Graves in the order in which they can be forgotten. */
    public static final byte GRAVE_AT = 9;

    /** {@code -> nothing}. Lies after the graves, so that a walk to their end meets no tombstone. */
    public static final byte END_OF_GRAVES = 10;

    /** {@code -> right edges}. The Merkle tree over the audit, see {@link SavedTree}. */
    public static final byte TREE = 11;

    /** {@code name | 0 | execution -> end}. The ends of executions that wait beside a grave, see {@link WaitingEnd}. */
    public static final byte WAITING_END = 12;

    /** {@code -> nothing}. Lies after the waiting ends, so that a walk to the last one meets no tombstone. */
    public static final byte AFTER_WAITING_ENDS = 13;

    /** {@code sid -> name}. The streams by number, see {@code SidRange}. */
    public static final byte SID = 14;

    /** {@code time | sid -> nothing}. The times at which to look at streams, see {@code Agenda}. */
    public static final byte WAKE_UP = 15;

    /** {@code namespace -> figures}. The totals of the namespaces, see {@code NamespaceCounts}. */
    public static final byte TOTALS = 16;

    /** {@code -> edition}. The policies that all streams follow. */
    public static final byte FOLLOWED = 17;

    /** {@code sid -> nothing}. Streams that are moving, see {@code Mark}. */
    public static final byte MOVING = 18;

    /** {@code sid -> nothing}. Streams with open executions, see {@code Mark}. */
    public static final byte WORKING = 19;

    /** {@code sid -> nothing}. Streams in quarantine, see {@code Mark}. */
    public static final byte QUARANTINED = 20;

    /** {@code sid -> nothing}. Streams from which sweeps delete nothing but report what they would, see {@code Mark}. */
    public static final byte WARNED = 21;

    /** {@code sid -> nothing}. Streams without rows in SQL, see {@code Mark}. */
    public static final byte UNMIRRORED = 22;

    /** {@code name -> number and last storage time}. The last retired stream of a name, see {@code RetiredStreams}. */
    public static final byte RETIRED_AS = 23;

    /** The first byte with which a name can begin. */
    public static final Bytes FIRST_STREAM = Bytes.wrap(new byte[] {0x20});

    private UsageKeys() {}

    public static Bytes stream(StreamName stream) {
        return Bytes.wrap(stream.value().getBytes(StandardCharsets.UTF_8));
    }

    public static Bytes execution(int sid, long number) {
        return Bytes.wrap(ByteBuffer.allocate(1 + Integer.BYTES + Long.BYTES)
                .put(EXECUTION)
                .putInt(sid)
                .putLong(number)
                .array());
    }

    public static int sidOfExecution(Bytes key) {
        return ByteBuffer.wrap(key.get()).getInt(1);
    }

    public static long numberOfExecution(Bytes key) {
        return ByteBuffer.wrap(key.get()).getLong(1 + Integer.BYTES);
    }

    /** Returns the key of that kind for the stream with this number. */
    public static Bytes numbered(byte kind, int sid) {
        return Bytes.wrap(
                ByteBuffer.allocate(1 + Integer.BYTES).put(kind).putInt(sid).array());
    }

    /** Returns the number in a key of {@link #numbered}. */
    public static int sidOfNumbered(Bytes key) {
        return ByteBuffer.wrap(key.get()).getInt(1);
    }

    /** @param timeMs the time, epoch milliseconds, 0 or later */
    public static Bytes wakeUp(long timeMs, int sid) {
        return Bytes.wrap(ByteBuffer.allocate(1 + Long.BYTES + Integer.BYTES)
                .put(WAKE_UP)
                .putLong(timeMs)
                .putInt(sid)
                .array());
    }

    public static long timeOfWakeUp(Bytes key) {
        return ByteBuffer.wrap(key.get()).getLong(1);
    }

    public static int sidOfWakeUp(Bytes key) {
        return ByteBuffer.wrap(key.get()).getInt(1 + Long.BYTES);
    }

    /** Returns the key of that kind which stands alone, and before all others of the kind. */
    public static Bytes single(byte kind) {
        return Bytes.wrap(new byte[] {kind});
    }

    public static Bytes named(byte kind, String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(
                ByteBuffer.allocate(1 + text.length).put(kind).put(text).array());
    }

    /** Returns the key after all of that kind whose names begin with a text: no text has so high a byte. */
    public static Bytes afterNamed(byte kind, String beginning) {
        byte[] text = beginning.getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(ByteBuffer.allocate(2 + text.length)
                .put(kind)
                .put(text)
                .put((byte) 0xFF)
                .array());
    }

    public static String nameOf(Bytes key) {
        byte[] bytes = key.get();
        return new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8);
    }

    /** @param name the name of the Kafka key, see {@code ParkedStream.nameOf} */
    public static Bytes parked(byte[] name) {
        return Bytes.wrap(
                ByteBuffer.allocate(1 + name.length).put(PARKED).put(name).array());
    }

    /** Returns the key after all parked streams: no name begins with so high a byte. */
    public static Bytes afterParked() {
        return parked(new byte[] {(byte) 0xFF});
    }

    public static byte[] nameOfParked(Bytes key) {
        return Arrays.copyOfRange(key.get(), 1, key.get().length);
    }

    public static Bytes doneAt(long timeMs, String name) {
        return timed(DONE_AT, timeMs, name);
    }

    public static Bytes graveAt(long deletedAtMs, String name) {
        return timed(GRAVE_AT, deletedAtMs, name);
    }

    private static Bytes timed(byte kind, long timeMs, String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(ByteBuffer.allocate(1 + Long.BYTES + text.length)
                .put(kind)
                .putLong(timeMs)
                .put(text)
                .array());
    }

    /** Returns the key of the end that waits for this execution; no name holds the byte that stands behind it. */
    public static Bytes waitingEnd(String name, long execution) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(ByteBuffer.allocate(2 + text.length + Long.BYTES)
                .put(WAITING_END)
                .put(text)
                .put((byte) 0)
                .putLong(execution)
                .array());
    }

    /** Returns the execution for which the end with this key waits. */
    public static long executionOfWaitingEnd(Bytes key) {
        return ByteBuffer.wrap(key.get()).getLong(key.get().length - Long.BYTES);
    }

    /** Returns the name of the stream for which the end with this key waits. */
    public static String nameOfWaitingEnd(Bytes key) {
        byte[] bytes = key.get();
        return new String(bytes, 1, bytes.length - 2 - Long.BYTES, StandardCharsets.UTF_8);
    }

    /** Returns the key after all waiting ends. */
    public static Bytes afterWaitingEnds() {
        return Bytes.wrap(new byte[] {AFTER_WAITING_ENDS});
    }

    /** Returns the key before all graves. */
    public static Bytes firstGrave() {
        return Bytes.wrap(new byte[] {GRAVE});
    }

    /** Returns the key after all graves. */
    public static Bytes endOfGraves() {
        return Bytes.wrap(new byte[] {END_OF_GRAVES});
    }

    public static long timeOfGraveAt(Bytes key) {
        return ByteBuffer.wrap(key.get()).getLong(1);
    }

    /** Returns the name in a key that begins with a time. */
    public static String nameOfTimed(Bytes key) {
        byte[] bytes = key.get();
        int start = 1 + Long.BYTES;
        return new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8);
    }

    /** Returns the name of the stream with this key. */
    public static StreamName streamOf(Bytes key) {
        return new StreamName(new String(key.get(), StandardCharsets.UTF_8));
    }

    /** Returns the kind of the record with this key: one of the constants, or a higher byte for a stream. */
    public static byte kindOf(Bytes key) {
        return key.get()[0];
    }

    public static boolean isStream(Bytes key) {
        return (key.get()[0] & 0xFF) >= 0x20;
    }
}
