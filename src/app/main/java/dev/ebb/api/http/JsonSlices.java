package dev.ebb.api.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.ebb.serde.text.OutsideJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The objects of a body in their original text: parsing them into a tree would change the form of their numbers. */
public final class JsonSlices {

    private static final JsonFactory JSON = OutsideJson.factory();

    private JsonSlices() {}

    /**
     * Returns the text of the one object, or the texts of the objects in the array.
     *
     * @param most most objects that are accepted
     */
    public static List<String> objects(String body, int most) {
        try (JsonParser parser = JSON.createParser(body)) {
            boolean isArray = parser.nextToken() == JsonToken.START_ARRAY;
            List<String> objects = new ArrayList<>();
            if (isArray) {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    requireFewer(objects, most);
                    objects.add(slice(body, parser));
                }
            } else {
                objects.add(slice(body, parser));
            }
            requireEnd(parser);
            return objects;
        } catch (JsonProcessingException e) {
            throw ProblemException.badRequest("the body is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new UncheckedIOException("a text cannot fail to be read", e);
        }
    }

    private static String slice(String body, JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw ProblemException.badRequest("the body must be a JSON object or an array of them");
        }
        int start = (int) parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        int end = (int) parser.currentTokenLocation().getCharOffset();
        return body.substring(start, end + 1);
    }

    private static void requireFewer(List<String> objects, int most) {
        if (objects.size() == most) {
            throw new ProblemException(
                    ProblemKind.TOO_LARGE, "the body holds more than " + most + " objects; send it in parts");
        }
    }

    private static void requireEnd(JsonParser parser) throws IOException {
        if (parser.nextToken() != null) {
            throw ProblemException.badRequest("the body holds more than one JSON value");
        }
    }
}
