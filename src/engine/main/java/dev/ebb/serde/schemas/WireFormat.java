package dev.ebb.serde.schemas;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.errors.SerializationException;

/** Confluent's wire format: a zero byte, the schema's id in four bytes (big-endian), the record in binary Avro. */
public final class WireFormat {

    static final int HEADER_BYTES = 1 + Integer.BYTES;

    /** Result of {@link #schemaId} for bytes that do not begin with this format. */
    static final int NO_ID = -1;

    private static final byte MAGIC = 0;

    private WireFormat() {}

    public static int schemaId(byte[] bytes) {
        return bytes.length < HEADER_BYTES || bytes[0] != MAGIC
                ? NO_ID
                : ByteBuffer.wrap(bytes).getInt(1);
    }

    /** @throws SerializationException if the bytes are not exactly one record */
    static GenericRecord read(byte[] bytes, DatumReader<GenericRecord> reader) {
        WireDecoder decoder = new WireDecoder(bytes, HEADER_BYTES);
        GenericRecord result = read(decoder, reader);
        if (decoder.remaining() > 0) {
            throw new SerializationException(decoder.remaining() + " bytes too many after the record");
        }
        return result;
    }

    public static byte[] write(int schemaId, GenericRecord value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        out.write(MAGIC);
        out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(schemaId).array());
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
        try {
            new GenericDatumWriter<GenericRecord>(value.getSchema()).write(value, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Reads a record. A hostile record with a recursive schema can be nested more deeply than the stack allows. */
    private static GenericRecord read(WireDecoder decoder, DatumReader<GenericRecord> reader) {
        try {
            return reader.read(null, decoder);
        } catch (IOException | AvroRuntimeException | IndexOutOfBoundsException | StackOverflowError e) {
            throw new SerializationException("the bytes do not fit their schema: " + e.getMessage(), e);
        }
    }
}
