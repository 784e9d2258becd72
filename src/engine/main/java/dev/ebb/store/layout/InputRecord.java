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
 * Record of an input topic, with all data needed to take it in now or later.
 *
 * @param topic the topic that the record came from
 * @param partition the partition that the record came from
 * @param offset its offset there
 * @param timestampMs its Kafka timestamp
 * @param key its key; null if it has none
 * @param value its value; null if it has none
 * @param headers its headers
 */
public record InputRecord(
        String topic,
        int partition,
        long offset,
        long timestampMs,
        byte @Nullable [] key,
        byte @Nullable [] value,
        Headers headers) {

    /** Origin of a record. */
    public record Coordinates(String topic, int partition, long offset) {

        @Override
        public String toString() {
            return topic + "/" + partition + "/" + offset;
        }
    }

    /** The record with its origin. */
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

    /** The record with other headers. */
    public InputRecord with(Headers others) {
        return new InputRecord(topic, partition, offset, timestampMs, key, value, others);
    }

    /** Origin of the record with these bytes; the rest of the record is not kept. */
    public static Coordinates coordinates(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        return new Coordinates(in.readText(), in.readInt(), in.readLong());
    }

    /** The record as bytes, for a store. */
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

    /** Reads the record that {@link #encode} wrote. */
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

    /** Reads the record that {@link #encode} wrote; null if the bytes are damaged. */
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
