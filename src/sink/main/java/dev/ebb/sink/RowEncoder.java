package dev.ebb.sink;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.ebb.sink.Table.Column;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads rows and keys in JSON and gives them the form that the database takes. Not thread-safe. */
final class RowEncoder {

    private static final JsonFactory JSON = new JsonFactory();

    private final Table table;
    private final Map<String, Integer> places;
    private final Map<String, Integer> keyPlaces;
    /** Values of one row in the order in which they came; a column finds its own by its bounds. */
    private final CopyBuffer values = new CopyBuffer();

    private final int[] begins;
    private final int[] ends;

    RowEncoder(Table table) {
        this.table = table;
        this.places = places(table.columns());
        this.keyPlaces = places(table.key());
        this.begins = new int[table.columns().size()];
        this.ends = new int[table.columns().size()];
    }

    private static Map<String, Integer> places(List<Column> columns) {
        Map<String, Integer> places = new HashMap<>();
        columns.forEach(column -> places.put(column.name(), places.size()));
        return places;
    }

    Table table() {
        return table;
    }

    /** Returns true if the table has a column for each field of the row. */
    boolean knowsAllOf(byte[] row) throws BadRowException {
        boolean[] isUnknown = {false};
        read(row, (name, json) -> {
            isUnknown[0] |= !places.containsKey(name);
            json.skipChildren();
        });
        return !isUnknown[0];
    }

    /**
     * Appends a row as a tuple of COPY.
     *
     * @throws BadRowException if it is no row of the table; nothing is appended then
     */
    void encode(byte[] row, CopyBuffer out) throws BadRowException {
        values.truncate(0);
        Arrays.fill(ends, 0);
        read(row, this::value);
        out.putShort(begins.length);
        for (int i = 0; i < begins.length; i++) {
            if (ends[i] == 0) {
                out.putNull();
            } else {
                out.put(values.array(), begins[i], ends[i] - begins[i]);
            }
        }
    }

    private void value(String name, JsonParser json) throws IOException {
        Integer place = places.get(name);
        if (place == null) {
            throw new BadRowException("the table " + table.name() + " has no column " + name);
        }
        if (json.currentToken() != JsonToken.VALUE_NULL) {
            begins[place] = values.length();
            table.columns().get(place).type().write(json, values);
            ends[place] = values.length();
        }
    }

    /** The values of a key, as texts in the order of the primary key. */
    String[] key(byte[] key) throws BadRowException {
        @Nullable String[] found = new String[keyPlaces.size()];
        read(key, (name, json) -> {
            Integer place = keyPlaces.get(name);
            if (place != null) {
                found[place] = json.getText();
            }
        });
        String[] complete = new String[found.length];
        for (int i = 0; i < found.length; i++) {
            String value = found[i];
            if (value == null) {
                throw new BadRowException("the key has no " + table.key().get(i).name());
            }
            complete[i] = value;
        }
        return complete;
    }

    private interface Field {
        void read(String name, JsonParser json) throws IOException;
    }

    /** Shows the fields one by one. Messages of the parser go no further, since they hold parts of what it reads. */
    private void read(byte[] object, Field visitor) throws BadRowException {
        try (JsonParser json = JSON.createParser(object)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new BadRowException("it is no JSON object");
            }
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                json.nextToken();
                visitor.read(name, json);
            }
        } catch (BadRowException e) {
            throw e;
        } catch (IOException e) {
            throw new BadRowException("it is no JSON object with values of the types of the table " + table.name(), e);
        }
    }
}
