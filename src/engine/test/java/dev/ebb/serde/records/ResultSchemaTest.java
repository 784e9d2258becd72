package dev.ebb.serde.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.Reported;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.serde.schemas.EbbSchemas;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The schema of results is made from their components, so that a new count has to be written nowhere else. */
class ResultSchemaTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> REQUIRED = Set.of("commandId", "verb", "state", "startedAt", "updatedAt");

    private final Set<String> known = new HashSet<>();

    @Test
    void shouldHaveTheFieldsOfTheComponentsInTheSchema() throws IOException {
        // given
        String made = new Schema.Parser().parse(text()).toString(true);
        Path file = Path.of("target", "CommandResult.avsc");

        // when: the next reader may take it over
        Files.createDirectories(file.getParent());
        Files.writeString(file, made + "\n");

        // then
        assertThat(EbbSchemas.COMMAND_RESULT.toString(true))
                .as("take over target/CommandResult.avsc into schemas")
                .isEqualTo(made);
    }

    private String text() throws JsonProcessingException {
        StringJoiner fields = new StringJoiner(",\n    ", "\n    ", "\n  ");
        for (RecordComponent component : CommandResult.class.getRecordComponents()) {
            fields.add(JSON.writeValueAsString(field(component, !REQUIRED.contains(component.getName()))));
        }
        return """
                {
                  "type": "record",
                  "name": "CommandResult",
                  "namespace": "dev.ebb",
                  "doc": "What became of a command; the last one of a command is its result, earlier ones tell of its \
                progress. The key is the commandId. All times are epoch milliseconds.",
                  "fields": [%s]
                }
                """.formatted(fields);
    }

    private ObjectNode field(RecordComponent component, boolean hasDefault) {
        ObjectNode field = JSON.createObjectNode().put("name", component.getName());
        ObjectNode holder = JSON.createObjectNode();
        boolean isNullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        if (isNullable) {
            put(holder.putArray("type").add("null"), component.getGenericType());
        } else {
            ArrayNode one = JSON.createArrayNode();
            put(one, component.getGenericType());
            holder.set("type", one.get(0));
        }
        field.set("type", holder.get("type"));
        if (hasDefault) {
            putDefault(field, isNullable, component.getType());
        }
        Reported reported = Objects.requireNonNull(component.getAnnotation(Reported.class), component.toString());
        return field.put("doc", reported.value());
    }

    private static void putDefault(ObjectNode field, boolean isNullable, Class<?> type) {
        if (isNullable) {
            field.putNull("default");
        } else if (type == boolean.class) {
            field.put("default", false);
        } else if (type == String.class) {
            field.put("default", "");
        } else if (type == List.class) {
            field.putArray("default");
        } else if (type.isSealed()
                || !type.isPrimitive() && type != Instant.class && !type.isEnum() && !type.isRecord()) {
            field.putObject("default");
        } else if (type == long.class) {
            field.put("default", 0);
        }
    }

    private void put(ArrayNode into, Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] of = generic.getActualTypeArguments();
            ArrayNode one = JSON.createArrayNode();
            put(one, of[of.length - 1]);
            boolean isList = generic.getRawType() == List.class;
            into.addObject().put("type", isList ? "array" : "map").set(isList ? "items" : "values", one.get(0));
            return;
        }
        Class<?> raw = (Class<?>) type;
        if (raw.isSealed()) {
            ArrayNode union = into.addArray();
            for (Class<?> kind : raw.getPermittedSubclasses()) {
                put(union, kind);
            }
        } else if (raw.isRecord()) {
            putRecord(into, raw);
        } else if (raw == boolean.class || raw == Boolean.class) {
            into.add("boolean");
        } else {
            into.add(raw == String.class || raw.isEnum() ? "string" : "long");
        }
    }

    private void putRecord(ArrayNode into, Class<?> type) {
        if (!known.add(type.getSimpleName())) {
            into.add(type.getSimpleName());
            return;
        }
        ObjectNode schema = into.addObject().put("type", "record").put("name", type.getSimpleName());
        ArrayNode fields = schema.putArray("fields");
        for (RecordComponent component : type.getRecordComponents()) {
            fields.add(field(component, true));
        }
    }
}
