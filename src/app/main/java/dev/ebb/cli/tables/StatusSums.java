package dev.ebb.cli.tables;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import java.util.Map;
import java.util.TreeMap;

/** Sums over all instances: numbers are added up, field by field. */
public final class StatusSums {

    private StatusSums() {}

    /** The sum of that field of all instances; numbers that one of them does not know are left out. */
    public static ObjectNode of(JsonNode instances, String field) {
        ObjectNode sum = Json.object();
        instances.forEach(instance -> add(instance.path(field), sum));
        return sorted(sum);
    }

    private static void add(JsonNode from, ObjectNode to) {
        for (Map.Entry<String, JsonNode> entry : from.properties()) {
            JsonNode value = entry.getValue();
            if (value.isObject()) {
                add(value, to.withObjectProperty(entry.getKey()));
            } else if (value.isNumber()) {
                to.put(entry.getKey(), to.path(entry.getKey()).asLong() + value.asLong());
            }
        }
    }

    private static ObjectNode sorted(ObjectNode sum) {
        Map<String, JsonNode> fields = new TreeMap<>();
        sum.properties().forEach(entry -> fields.put(entry.getKey(), entry.getValue()));
        ObjectNode sorted = Json.object();
        sorted.setAll(fields);
        return sorted;
    }
}
