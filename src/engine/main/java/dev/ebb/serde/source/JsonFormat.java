package dev.ebb.serde.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ebb.domain.Unicode;
import dev.ebb.domain.source.SourceObject;
import dev.ebb.serde.text.OutsideJson;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * JSON of any form in UTF-8. A field that is named twice is refused: its author may have meant the other value. So are
 * bytes that are no text, which a decoder would replace: two values would become one.
 */
final class JsonFormat implements SourceFormat {

    private static final String NO_TEXT = "is not JSON in UTF-8";
    private static final String EMPTY = "is not JSON: it is empty";
    private static final ObjectReader READER = JsonMapper.builder(OutsideJson.factory())
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build()
            .readerFor(JsonNode.class);

    @Override
    public @Nullable Object read(byte[] bytes) {
        try {
            if (!isText(bytes)) {
                throw new SerializationException(NO_TEXT);
            }
            JsonNode node = READER.readValue(bytes);
            if (node == null || node.isMissingNode()) {
                throw new SerializationException(EMPTY);
            }
            return plain(node);
        } catch (StreamConstraintsException e) {
            throw new SerializationException("is JSON beyond the limits: 1,000 levels, and numbers of 1,000 digits", e);
        } catch (JsonProcessingException e) {
            // The library's own message quotes the value.
            throw new SerializationException(fault(e), e);
        } catch (IOException e) {
            throw new SerializationException(NO_TEXT, e);
        }
    }

    /** Returns true if the bytes are UTF-8; most are ASCII, which is known at a glance. */
    private static boolean isText(byte[] bytes) {
        for (byte one : bytes) {
            if (one < 0) {
                return Unicode.decode(bytes, 0, bytes.length).isPresent();
            }
        }
        return true;
    }

    /** Returns the fault and its place; the parser counts characters, from 0 on. */
    private static String fault(JsonProcessingException e) {
        long before = e.getLocation() == null ? -1 : e.getLocation().getCharOffset();
        if (before < 0) {
            return EMPTY;
        }
        boolean isNamedTwice = e.getOriginalMessage().startsWith("Duplicate field");
        return (isNamedTwice ? "names a field twice, at character " : "is not JSON, at character ") + (before + 1);
    }

    private static @Nullable Object plain(@Nullable JsonNode node) {
        if (node == null) {
            return null;
        }
        return switch (node.getNodeType()) {
            case STRING -> node.textValue();
            case BOOLEAN -> node.booleanValue();
            case NUMBER ->
                node.isIntegralNumber()
                        ? node.canConvertToLong() ? (Object) node.longValue() : node.bigIntegerValue()
                        : node.decimalValue();
            case OBJECT -> (SourceObject) name -> plain(node.get(name));
            case ARRAY -> List.of();
            default -> null;
        };
    }
}
