package dev.ebb.serde.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ebb.domain.source.SourceObject;
import dev.ebb.serde.text.OutsideJson;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** JSON of any form. A field that is named twice is refused: its author may have meant the other value. */
final class JsonFormat implements SourceFormat {

    private static final ObjectReader READER = JsonMapper.builder(OutsideJson.factory())
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build()
            .readerFor(JsonNode.class);

    @Override
    public @Nullable Object read(byte[] bytes) {
        try {
            JsonNode node = READER.readValue(bytes);
            if (node == null || node.isMissingNode()) {
                throw new SerializationException("is not JSON: it is empty");
            }
            return plain(node);
        } catch (JsonProcessingException e) {
            // The library's own message quotes the value.
            throw new SerializationException("is not JSON, from byte " + byteOf(e) + " on", e);
        } catch (IOException e) {
            throw new SerializationException("is not JSON in UTF-8", e);
        }
    }

    private static long byteOf(JsonProcessingException e) {
        return e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getByteOffset());
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
