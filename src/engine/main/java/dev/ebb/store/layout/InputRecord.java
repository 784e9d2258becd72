package dev.ebb.store.layout;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A record of an input topic, with all data needed to take it in now or later.
 *
 * @param topic the topic of the record
 * @param partition the partition of the record
 * @param offset the offset of the record in the partition
 * @param timestampMs the Kafka timestamp, epoch milliseconds
 * @param key the key; null if there is none
 * @param value the value; null if there is none
 * @param headers the headers
 */
public record InputRecord(
        String topic,
        int partition,
        long offset,
        long timestampMs,
        byte @Nullable [] key,
        byte @Nullable [] value,
        Headers headers) {

    /** The origin of a record. */
    public record Coordinates(String topic, int partition, long offset) {

        @Override
        public String toString() {
            return topic + "/" + partition + "/" + offset;
        }
    }

    /** Returns the record with its origin. */
    public static InputRecord of(Record<byte[], byte[]> record, RecordMetadata from) {
        return new InputRecord(
                from.topic(),
                from.partition(),
                from.offset(),
                record.timestamp(),
                record.key(),
                record.value(),
                record.headers());
    }

    /** Returns the record with other headers. */
    public InputRecord with(Headers others) {
        return new InputRecord(topic, partition, offset, timestampMs, key, value, others);
    }

    /** Returns the origin of the record in these bytes, without keeping the rest of the record. */
    public static Coordinates coordinates(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        return new Coordinates(in.readText(), in.readInt(), in.readLong());
    }

    /** Returns the record as bytes, for a store. */
    public byte[] encode() {
        ByteWriter out = new ByteWriter(256);
        out.writeText(topic).writeInt(partition).writeLong(offset).writeLong(timestampMs);
        encode(out, key);
        encode(out, value);
        List<Header> all = new ArrayList<>();
        headers.forEach(all::add);
        out.writeVarLong(all.size());
        for (Header header : all) {
            out.writeText(header.key());
            encode(out, header.value());
        }
        return out.toBytes();
    }

    /** Reads the output of {@link #encode}. */
    public static InputRecord decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        String topic = in.readText();
        int partition = in.readInt();
        long offset = in.readLong();
        long timestampMs = in.readLong();
        byte[] key = decodeBytes(in);
        byte[] value = decodeBytes(in);
        Headers headers = new RecordHeaders();
        for (long left = in.readVarLong(); left > 0; left--) {
            headers.add(in.readText(), decodeBytes(in));
        }
        return new InputRecord(topic, partition, offset, timestampMs, key, value, headers);
    }

    /** Reads the output of {@link #encode}; returns null if the bytes are damaged. */
    public static @Nullable InputRecord decodeOrNull(byte[] bytes) {
        try {
            return decode(bytes);
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static void encode(ByteWriter out, byte @Nullable [] bytes) {
        out.writeByte(bytes == null ? 0 : 1);
        if (bytes != null) {
            out.writeBytes(bytes);
        }
    }

    private static byte @Nullable [] decodeBytes(ByteReader in) {
        return in.readByte() == 0 ? null : in.readBytes();
    }
}
