package dev.ebb.sink;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/** Reads keys and rows that are JSON objects with a field for each column. */
final class JsonForm {

    private static final JsonFactory JSON = new JsonFactory();

    private final DescribedTable table;
    private final Map<String, Integer> places;
    private final Consumer<String> lacks;

    /** @param lacks told the fields for which the table has no column, unless they are null */
    JsonForm(DescribedTable table, Consumer<String> lacks) {
        this.table = table;
        this.lacks = lacks;
        this.places = table.places();
    }

    /** Reads a row or a key; leaves out what the table has no column for, since it may be older than the row. */
    void read(byte[] object, Tuple tuple) throws BadRowException {
        read(object, (name, json) -> {
            Integer place = places.get(name);
            if (place == null) {
                if (json.currentToken() != JsonToken.VALUE_NULL) {
                    json.skipChildren();
                    lacks.accept(name);
                }
            } else if (json.currentToken() != JsonToken.VALUE_NULL) {
                table.columns().get(place).type().write(json, tuple.begin(place));
                tuple.end(place);
            }
        });
    }

    private interface Field {
        void read(String name, JsonParser json) throws IOException;
    }

    /**
     * Passes the fields to the visitor one by one. Messages of the parser are not passed on, since they contain parts
     * of its input.
     */
    private void read(byte[] object, Field visitor) throws BadRowException {
        try (JsonParser json = JSON.createParser(object)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new BadRowException("it is not a JSON object");
            }
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                json.nextToken();
                visitor.read(name, json);
            }
        } catch (BadRowException e) {
            throw e;
        } catch (IOException e) {
            throw new BadRowException(
                    "it is not a JSON object with values of the types of the table " + table.name(), e);
        }
    }
}
