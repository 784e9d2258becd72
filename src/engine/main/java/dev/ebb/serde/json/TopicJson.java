package dev.ebb.serde.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.ebb.domain.Unicode;
import dev.ebb.serde.text.OutsideJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** JSON as the value of a record. Stateless. */
public final class TopicJson {

    /** Limits only the depth, which costs memory; records and lines are limited as a whole. */
    static final JsonFactory FACTORY = OutsideJson.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNestingDepth(10_000)
                    .build())
            .build();

    private static final int AVRO_MAGIC = 0;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private TopicJson() {}

    /**
     * Returns true if the value is meant as a JSON object: its first character is a brace, possibly after blanks, line
     * ends and a byte order mark.
     */
    public static boolean isObject(byte[] value) {
        // Almost every other value is Avro, which this one comparison detects.
        if (value.length == 0 || value[0] == AVRO_MAGIC) {
            return false;
        }
        int start = start(value);
        return start < value.length && value[start] == '{';
    }

    /**
     * Returns the text of a value.
     *
     * @throws UnreadableJsonException if the value is not valid UTF-8
     */
    static String text(byte[] value) {
        int start = start(value);
        Optional<String> text = Unicode.decode(value, start, value.length - start);
        return text.orElseThrow(() -> new UnreadableJsonException("it is not a JSON object: it is not valid UTF-8"));
    }

    /**
     * Returns the result of the reader for the text; the message of a failure names the place.
     *
     * @throws UnreadableJsonException if the text is not JSON, or the reader does not accept it
     */
    static <T> T read(JsonFactory factory, String json, Reader<T> reader) {
        try (JsonParser parser = factory.createParser(json)) {
            try {
                return reader.read(parser);
            } catch (UnreadableJsonException e) {
                throw e.at(parser.currentTokenLocation());
            }
        } catch (JsonProcessingException e) {
            throw UnreadableJsonException.of(e);
        } catch (IOException e) {
            throw new UncheckedIOException("a text cannot fail to be read", e);
        }
    }

    /** A reader that starts at the beginning of a text. */
    interface Reader<T> {
        T read(JsonParser parser) throws IOException;
    }

    /** Returns the position of the first byte that counts. */
    private static int start(byte[] value) {
        int start = startsWithMark(value) ? BYTE_ORDER_MARK.length : 0;
        while (start < value.length && isBlank(value[start])) {
            start++;
        }
        return start;
    }

    private static boolean startsWithMark(byte[] value) {
        return value.length >= BYTE_ORDER_MARK.length
                && value[0] == BYTE_ORDER_MARK[0]
                && value[1] == BYTE_ORDER_MARK[1]
                && value[2] == BYTE_ORDER_MARK[2];
    }

    private static boolean isBlank(byte character) {
        return character == ' ' || character == '\t' || character == '\r' || character == '\n';
    }
}
