package dev.ebb.store;

import dev.ebb.domain.event.StreamName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;

/**
 * The keys of the usage store. A stream's record has its name for a key, which never begins with a control character; the
 * first byte of all others is one.
 */
final class UsageKeys {

    /** {@code -> task}. What the task remembers besides its streams. */
    static final byte TASK = 0;
    /** {@code sid | execution -> segment}. The executions above 0. */
    static final byte EXECUTION = 1;
    /** {@code sid -> retired stream}. Deleted streams whose events are not all gone. */
    static final byte RETIRED = 2;
    /** {@code name -> bytes}. Work that is pending. */
    static final byte PENDING = 3;
    /** {@code name -> bytes}. Work that is done. */
    static final byte DONE = 4;
    /** {@code time | name -> nothing}. When work was done, so that it can be forgotten. */
    static final byte DONE_AT = 5;

    /** {@code -> format}. See {@link StateFormat}. */
    static final byte FORMAT = 6;

    /** {@code name of the Kafka key -> parked stream}. Of which keys records wait, see {@link ParkedStream}. */
    static final byte PARKED = 7;

    /** {@code name -> time}. When a stream of that name was deleted, see {@link Graves}. */
    static final byte GRAVE = 8;

    /** {@code time | name -> nothing}. The same in the order in which it can be forgotten. */
    static final byte GRAVE_AT = 9;

    /** {@code -> nothing}. Behind the graves, so that whoever comes to their end walks into no tombstone. */
    static final byte END_OF_GRAVES = 10;

    /** The first byte that a name may begin with. */
    static final Bytes FIRST_STREAM = Bytes.wrap(new byte[] {0x20});

    private UsageKeys() {}

    static Bytes stream(StreamName stream) {
        return Bytes.wrap(stream.value().getBytes(StandardCharsets.UTF_8));
    }

    static Bytes execution(int sid, long number) {
        return Bytes.wrap(ByteBuffer.allocate(1 + Integer.BYTES + Long.BYTES)
                .put(EXECUTION)
                .putInt(sid)
                .putLong(number)
                .array());
    }

    static int sidOfExecution(Bytes key) {
        return ByteBuffer.wrap(key.get()).getInt(1);
    }

    static long numberOfExecution(Bytes key) {
        return ByteBuffer.wrap(key.get()).getLong(1 + Integer.BYTES);
    }

    static Bytes retired(int sid) {
        return Bytes.wrap(
                ByteBuffer.allocate(1 + Integer.BYTES).put(RETIRED).putInt(sid).array());
    }

    static Bytes named(byte kind, String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(
                ByteBuffer.allocate(1 + text.length).put(kind).put(text).array());
    }

    static String nameOf(Bytes key) {
        byte[] bytes = key.get();
        return new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8);
    }

    /** @param name see {@link ParkedStream#nameOf} */
    static Bytes parked(byte[] name) {
        return Bytes.wrap(
                ByteBuffer.allocate(1 + name.length).put(PARKED).put(name).array());
    }

    /** Behind all of them: no name begins with so high a byte. */
    static Bytes afterParked() {
        return parked(new byte[] {(byte) 0xFF});
    }

    static byte[] nameOfParked(Bytes key) {
        return Arrays.copyOfRange(key.get(), 1, key.get().length);
    }

    static Bytes doneAt(long timeMs, String name) {
        return timed(DONE_AT, timeMs, name);
    }

    static Bytes graveAt(long deletedAtMs, String name) {
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

    /** In front of all graves. */
    static Bytes firstGrave() {
        return Bytes.wrap(new byte[] {GRAVE});
    }

    /** Behind all of them. */
    static Bytes endOfGraves() {
        return Bytes.wrap(new byte[] {END_OF_GRAVES});
    }

    static long timeOfGraveAt(Bytes key) {
        return ByteBuffer.wrap(key.get()).getLong(1);
    }

    static String nameOfGraveAt(Bytes key) {
        return nameOfTimed(key);
    }

    static String nameOfDoneAt(Bytes key) {
        return nameOfTimed(key);
    }

    private static String nameOfTimed(Bytes key) {
        byte[] bytes = key.get();
        int start = 1 + Long.BYTES;
        return new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8);
    }

    /** The name of the stream whose key it is. */
    static StreamName streamOf(Bytes key) {
        return new StreamName(new String(key.get(), StandardCharsets.UTF_8));
    }

    /** What kind of record has that key: one of the constants, or something above for a stream. */
    static byte kindOf(Bytes key) {
        return key.get()[0];
    }

    static boolean isStream(Bytes key) {
        return (key.get()[0] & 0xFF) >= 0x20;
    }
}
