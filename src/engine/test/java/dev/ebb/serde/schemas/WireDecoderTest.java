package dev.ebb.serde.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads records of any foreign schema just as Avro's own decoder does. */
class WireDecoderTest {

    private static final Schema EVERYTHING = new Schema.Parser().parse("""
                    {"type": "record", "name": "Everything", "fields": [
                      {"name": "b", "type": "boolean"}, {"name": "i", "type": "int"}, {"name": "l", "type": "long"},
                      {"name": "f", "type": "float"}, {"name": "d", "type": "double"}, {"name": "s", "type": "string"},
                      {"name": "y", "type": "bytes"}, {"name": "n", "type": "null"},
                      {"name": "x", "type": {"type": "fixed", "name": "Six", "size": 6}},
                      {"name": "e", "type": {"type": "enum", "name": "Colour", "symbols": ["RED", "GREEN"]}},
                      {"name": "u", "type": ["null", "long", "string"]},
                      {"name": "a", "type": {"type": "array", "items": "long"}},
                      {"name": "m", "type": {"type": "map", "values": "string"}}]}""");

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReadEveryTypeAsAvroDoes(boolean hasBlockSizes) throws IOException {
        for (int seed = 0; seed < 200; seed++) {
            // given
            byte[] bytes = encode(random(new Random(seed)), hasBlockSizes);
            DatumReader<GenericRecord> reader = WriterSchema.reader(1, EVERYTHING.toString());
            GenericRecord expected = reader.read(null, DecoderFactory.get().binaryDecoder(bytes, null));

            // when
            WireDecoder decoder = new WireDecoder(bytes, 0);
            GenericRecord read = reader.read(null, decoder);

            // then
            assertThat(read).as("seed %d", seed).isEqualTo(expected);
            assertThat(decoder.remaining()).as("seed %d", seed).isZero();
        }
    }

    @Test
    void shouldPassOverWhatAReaderDoesNotWant() throws IOException {
        // given
        Schema wanted = new Schema.Parser()
                .parse("{\"type\":\"record\",\"name\":\"Everything\",\"fields\":[{\"name\":\"l\",\"type\":\"long\"}]}");

        for (int seed = 0; seed < 100; seed++) {
            GenericRecord written = random(new Random(seed));
            byte[] bytes = encode(written, seed % 2 == 0);

            // when
            WireDecoder decoder = new WireDecoder(bytes, 0);
            GenericRecord read = new GenericDatumReader<GenericRecord>(EVERYTHING, wanted).read(null, decoder);

            // then
            assertThat(read.get("l")).as("seed %d", seed).isEqualTo(written.get("l"));
            assertThat(decoder.remaining()).as("seed %d", seed).isZero();
        }
    }

    @Test
    void shouldEndWithAnErrorWhereverTheBytesEnd() throws IOException {
        // given
        byte[] bytes = encode(random(new Random(1)), true);

        for (int length = 0; length < bytes.length; length++) {
            byte[] truncated = Arrays.copyOf(bytes, length);

            // when / then
            assertThatThrownBy(() ->
                            WriterSchema.reader(1, EVERYTHING.toString()).read(null, new WireDecoder(truncated, 0)))
                    .as("%d bytes", length)
                    .isInstanceOf(Exception.class);
        }
    }

    private static GenericRecord random(Random random) {
        GenericRecord record = new GenericData.Record(EVERYTHING);
        record.put("b", random.nextBoolean());
        record.put("i", random.nextInt());
        record.put("l", random.nextLong() >> random.nextInt(64));
        record.put("f", random.nextFloat());
        record.put("d", random.nextDouble());
        record.put("s", text(random));
        record.put("y", ByteBuffer.wrap(new byte[random.nextInt(300)]));
        record.put("x", new GenericData.Fixed(EVERYTHING.getField("x").schema(), new byte[] {1, 2, 3, 4, 5, 6}));
        record.put("e", new GenericData.EnumSymbol(EVERYTHING.getField("e").schema(), "GREEN"));
        record.put(
                "u",
                List.of(new Object[] {5L}, new Object[] {"x"}, new Object[] {null})
                        .get(random.nextInt(3))[0]);
        List<Long> list = new ArrayList<>();
        Map<String, String> map = new HashMap<>();
        for (int i = random.nextInt(40); i > 0; i--) {
            list.add(random.nextLong());
            map.put(text(random), text(random));
        }
        record.put("a", list);
        record.put("m", map);
        return record;
    }

    private static String text(Random random) {
        return random.ints(random.nextInt(5), 32, 0x2000)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static byte[] encode(GenericRecord record, boolean hasBlockSizes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        EncoderFactory factory = new EncoderFactory().configureBlockSize(64);
        BinaryEncoder encoder =
                hasBlockSizes ? factory.blockingBinaryEncoder(out, null) : factory.binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(EVERYTHING).write(record, encoder);
        encoder.flush();
        return out.toByteArray();
    }
}
