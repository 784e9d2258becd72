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

    /** Limits depth alone, which costs memory; records and lines are limited as a whole. */
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
     * Returns true if the value is meant as a JSON object: its first character is a brace. Blanks, ends of lines and a byte
     * order mark may stand before it.
     */
    public static boolean isObject(byte[] value) {
        // Almost every other value is Avro, for which this is the one comparison.
        if (value.length == 0 || value[0] == AVRO_MAGIC) {
            return false;
        }
        int start = start(value);
        return start < value.length && value[start] == '{';
    }

    /**
     * The text of a value.
     *
     * @throws UnreadableJsonException if it is not valid UTF-8
     */
    static String text(byte[] value) {
        int start = start(value);
        Optional<String> text = Unicode.decode(value, start, value.length - start);
        return text.orElseThrow(() -> new UnreadableJsonException("it is no JSON object: it is not valid UTF-8"));
    }

    /**
     * What the reader makes of the text; what it cannot read is told with its place.
     *
     * @throws UnreadableJsonException if the text is no JSON, or not what the reader wants
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

    /** Reads from the beginning of a text. */
    interface Reader<T> {
        T read(JsonParser parser) throws IOException;
    }

    /** Position of the first byte that counts. */
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
