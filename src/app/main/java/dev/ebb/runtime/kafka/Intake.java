package dev.ebb.runtime.kafka;

import dev.ebb.runtime.unpacking.LongValue;
import dev.ebb.topology.wire.LeftOut;
import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Bounds what one poll of a consumer brings. Kafka counts what it fetches compressed, and a poll takes up to a number of
 * records from that: a batch of a megabyte may be gigabytes of them. So values of which nothing but size and hash will be
 * told are left out as soon as they are read, and a poll ends when it has enough: a record that cannot be deserialized ends
 * it, is kept, and is tried again by the next one. Only one record at a time is ever in memory beyond that, and none is bigger
 * there than {@link dev.ebb.runtime.unpacking.Unpacking} leaves it. Not thread-safe, like the consumer that it belongs to.
 */
public final class Intake {

    /** A poll of a thousand usual events has less than one. */
    static final long POLL_BYTES = 32L << 20;

    /** Most bytes of left out values in a poll: half a second on a slow core; a transaction may be open meanwhile. */
    static final long PASSED_BYTES = 32L << 20;

    private final int mostValueBytes;
    private final Deserializer<byte[]> bytes = new ByteArrayDeserializer();

    private long taken;
    private long passed;
    private int records;

    /** True if the key of a record was read whose value was not, because it has none or is still to come. */
    private boolean isOpen;

    /** @param mostValueBytes bigger values are left out */
    Intake(int mostValueBytes) {
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
        LeftOut.removeForged(headers);
        LongValue leftOut = LongValue.of(data);
        boolean isTaken = leftOut == null && data.remaining() <= mostValueBytes;
        take((isTaken ? data.remaining() : 0) + (isOpen ? 0 : bytesOf(headers)));
        pass(leftOut == null ? 0 : leftOut.bytes());
        isOpen = false;
        records++;
        if (leftOut != null) {
            return LeftOut.from(headers, leftOut.bytes(), leftOut.sha256());
        }
        return isTaken ? bytes.deserialize(topic, headers, data) : LeftOut.from(headers, data);
    }

    /** The first record is taken however big it is, or none would ever be. */
    private void take(long more) {
        if (records > 0 && taken + more > POLL_BYTES) {
            throw new SerializationException("the poll has enough; the record comes with the next one");
        }
        taken += more;
    }

    /** A value that is left out takes no memory, but it takes time to read, for which a poll must not last too long. */
    private void pass(long more) {
        if (records > 0 && passed + more > PASSED_BYTES) {
            throw new SerializationException("the poll has read enough; the record comes with the next one");
        }
        passed += more;
    }

    /**
     * Bytes of the names and values of the headers. Taking the record in reads all headers, too; until then each would
     * hold the whole record in memory, with a value that was left out.
     */
    public static long bytesOf(Headers headers) {
        long sum = 0;
        for (Header header : headers) {
            byte[] value = header.value();
            sum += header.key().length() + (value == null ? 0 : value.length);
        }
        return sum;
    }

    /** Either half of a record, without a copy of it that is not needed. */
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
