package dev.ebb.runtime.kafka;

import dev.ebb.runtime.unpacking.LongValue;
import dev.ebb.topology.wire.OmittedValue;
import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Bounds the size of one poll of a consumer. Kafka counts fetched bytes compressed, and a poll takes a number of
 * records from them: a batch of a megabyte may hold gigabytes of records. Values of which only size and hash are
 * reported are therefore left out as soon as they are read, and a poll ends when it has enough: a record that cannot be
 * deserialized ends the poll, is kept, and is tried again by the next poll. Only one record at a time is ever in memory
 * beyond that, and it is no bigger there than {@link dev.ebb.runtime.unpacking.Unpacking} leaves it. Not thread-safe,
 * like its consumer.
 */
public final class PollBound {

    /** More than a poll of a thousand usual events has. */
    static final long POLL_BYTES = 32L << 20;

    /**
     * Maximum number of bytes of left-out values in a poll, which take half a second on a slow core; a transaction may
     * be open meanwhile.
     */
    static final long PASSED_BYTES = 32L << 20;

    private final int mostValueBytes;
    private final Deserializer<byte[]> bytes = new ByteArrayDeserializer();

    private long taken;
    private long passed;
    private int records;

    /** True after the key of a record was read but not its value, because it has none or its value is still to come. */
    private boolean isOpen;

    /** @param mostValueBytes size in bytes above which a value is left out */
    PollBound(int mostValueBytes) {
        this.mostValueBytes = mostValueBytes;
    }

    void beginPoll() {
        taken = 0;
        passed = 0;
        records = 0;
        isOpen = false;
    }

    Deserializer<byte[]> keys() {
        return new Part() {
            @Override
            byte[] read(String topic, Headers headers, ByteBuffer data) {
                return key(topic, headers, data);
            }
        };
    }

    Deserializer<byte[]> values() {
        return new Part() {
            @Override
            byte[] read(String topic, Headers headers, ByteBuffer data) {
                return value(topic, headers, data);
            }
        };
    }

    private byte[] key(String topic, Headers headers, ByteBuffer data) {
        records += isOpen ? 1 : 0;
        take(data.remaining() + bytesOf(headers));
        isOpen = true;
        return bytes.deserialize(topic, headers, data);
    }

    private byte[] value(String topic, Headers headers, ByteBuffer data) {
        OmittedValue.removeForged(headers);
        LongValue leftOut = LongValue.of(data);
        boolean isTaken = leftOut == null && data.remaining() <= mostValueBytes;
        take((isTaken ? data.remaining() : 0) + (isOpen ? 0 : bytesOf(headers)));
        pass(leftOut == null ? 0 : leftOut.bytes());
        isOpen = false;
        records++;
        if (leftOut != null) {
            return OmittedValue.from(headers, leftOut.bytes(), leftOut.sha256());
        }
        return isTaken ? bytes.deserialize(topic, headers, data) : OmittedValue.from(headers, data);
    }

    /** The first record is taken however big it is; otherwise it would never be taken. */
    private void take(long more) {
        if (records > 0 && taken + more > POLL_BYTES) {
            throw new SerializationException("the poll has enough; the record comes with the next one");
        }
        taken += more;
    }

    /** A left-out value takes no memory, but takes time to read, and a poll must not last too long. */
    private void pass(long more) {
        if (records > 0 && passed + more > PASSED_BYTES) {
            throw new SerializationException("the poll has read enough; the record comes with the next one");
        }
        passed += more;
    }

    /**
     * Returns the number of bytes of the names and values of the headers. Like taking the record, this reads all
     * headers; until then, each header would keep the whole record in memory, with a value that was left out.
     */
    public static long bytesOf(Headers headers) {
        long sum = 0;
        for (Header header : headers) {
            byte[] value = header.value();
            sum += header.key().length() + (value == null ? 0 : value.length);
        }
        return sum;
    }

    /** Either half of a record, without a needless copy. */
    private abstract static class Part implements Deserializer<byte[]> {

        abstract byte[] read(String topic, Headers headers, ByteBuffer data);

        @Override
        public byte[] deserialize(String topic, Headers headers, ByteBuffer data) {
            return read(topic, headers, data);
        }

        @Override
        public byte[] deserialize(String topic, byte[] data) {
            throw new UnsupportedOperationException("a consumer has headers");
        }
    }
}
