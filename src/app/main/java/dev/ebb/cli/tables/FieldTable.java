package dev.ebb.cli.tables;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.terminal.Table;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** One object, for people: a line for each field that has a value. */
public final class FieldTable {

    private FieldTable() {}

    /** @param leftOut fields that are not shown */
    public static Table of(JsonNode object, String... leftOut) {
        Set<String> not = Set.of(leftOut);
        Table table = Table.ofFacts();
        object.properties().forEach(field -> {
            String text = text(field.getValue());
            if (!not.contains(field.getKey()) && !text.isEmpty()) {
                table.fact(words(field.getKey()), text);
            }
        });
        return table;
    }

    /** Returns a column of texts. */
    public static Table list(String title, List<String> values) {
        Table table = new Table().left(title);
        values.forEach(table::row);
        return table;
    }

    private static String text(JsonNode value) {
        if (value.isContainerNode()) {
            return value.isEmpty() ? "" : Json.compact(value);
        }
        return value.isNull() ? "" : value.asText();
    }

    /** Returns the words of a field name: {@code oldestAnchor} is oldest anchor. */
    private static String words(String fieldName) {
        return fieldName.replaceAll("(\\p{Lu})", " $1").toLowerCase(Locale.ROOT);
    }
}
