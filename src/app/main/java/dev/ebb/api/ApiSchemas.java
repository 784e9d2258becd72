package dev.ebb.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.api.http.ApiJson;
import dev.ebb.domain.Reported;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandField;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.text.ValueJson;
import dev.ebb.wire.Meaning;
import dev.ebb.wire.ShownAs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The JSON schemas of requests and answers. The schemas of views are made from their components, and the fields of a
 * policy from their catalogue, so that schema and code cannot differ; all others stand in {@code schemas.json}. Not
 * thread-safe.
 */
final class ApiSchemas {

    private static final String WRITTEN = "schemas.json";
    private static final Map<Class<?>, Scalar> SCALARS = Map.of(
            String.class, new Scalar("string", null),
            Instant.class, new Scalar("string", "date-time"),
            long.class, new Scalar("integer", "int64"),
            Long.class, new Scalar("integer", "int64"),
            int.class, new Scalar("integer", "int32"),
            Integer.class, new Scalar("integer", "int32"),
            boolean.class, new Scalar("boolean", null),
            Boolean.class, new Scalar("boolean", null),
            double.class, new Scalar("number", "double"));

    private final ObjectNode schemas = written();

    ApiSchemas() {
        ObjectNode fields = (ObjectNode) schemas.required("Policy").required("properties");
        PolicyField.ALL.forEach(field -> fields.set(field.fieldName(), ofField(field)));
        schemas.set("CommandFields", commandFields());
    }

    private record Scalar(String type, @Nullable String format) {}

    /** Returns all schemas that were asked for, and all handwritten ones, by name. */
    ObjectNode all() {
        return schemas;
    }

    /** Returns a reference to a schema: to that of a record, or to a handwritten one by its name. */
    ObjectNode reference(Object schema) {
        if (schema instanceof Class<?> view) {
            return ofClass(view);
        }
        if (!schemas.has(schema.toString())) {
            throw new IllegalArgumentException("there is no schema '" + schema + "' in " + WRITTEN);
        }
        return referenceTo(schema.toString());
    }

    private ObjectNode ofClass(Class<?> type) {
        Scalar scalar = SCALARS.get(type);
        if (scalar != null) {
            ObjectNode node = object().put("type", scalar.type());
            return scalar.format() == null ? node : node.put("format", scalar.format());
        }
        if (type.isRecord()) {
            return isMap(type) ? object().put("type", "object") : ofRecord(type);
        }
        if (type.isEnum()) {
            return ofEnum(type);
        }
        if (type.isSealed()) {
            return ofKinds(type);
        }
        if (type == JsonNode.class || type == Object.class) {
            return object();
        }
        if (JsonNode.class.isAssignableFrom(type)) {
            return object().put("type", "object");
        }
        throw new IllegalArgumentException(type + " cannot be described");
    }

    private static ObjectNode ofEnum(Class<?> type) {
        ObjectNode schema = object().put("type", "string");
        ArrayNode words = schema.putArray("enum");
        for (Object word : type.getEnumConstants()) {
            words.add(((Enum<?>) word).name());
        }
        return schema;
    }

    private static ObjectNode ofField(PolicyField<?> field) {
        ObjectNode schema = object();
        switch (field.type().written()) {
            case TEXT -> schema.put("type", "string");
            case NUMBER -> schema.putArray("type").add("integer").add("string");
            case TRUTH -> schema.put("type", "boolean");
        }
        putAll(schema, "enum", field.type().words());
        putAll(schema, "examples", field.examples());
        return schema.put("description", field.meaning());
    }

    private static void putAll(ObjectNode schema, String name, List<Object> values) {
        if (!values.isEmpty()) {
            ArrayNode array = schema.putArray(name);
            values.forEach(value -> array.add(ApiJson.tree(value)));
        }
    }

    /** Returns true if the record is written as the map that it holds. */
    private static boolean isMap(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        return components.length == 1 && components[0].getAccessor().isAnnotationPresent(JsonValue.class);
    }

    private ObjectNode ofRecord(Class<?> type) {
        String name = nameOf(type);
        if (!schemas.has(name)) {
            ObjectNode schema = schemas.putObject(name).put("type", "object");
            ObjectNode properties = schema.putObject("properties");
            ArrayNode required = schema.putArray("required");
            addComponents(type, properties, required);
        }
        return referenceTo(name);
    }

    private void addComponents(Class<?> type, ObjectNode properties, ArrayNode required) {
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                addComponents(component.getType(), properties, required);
                continue;
            }
            properties.set(component.getName(), ofComponent(component));
            if (!component.getAccessor().isAnnotationPresent(JsonInclude.class)) {
                required.add(component.getName());
            }
        }
    }

    /** Returns the choice between the records that a sealed interface permits; each names its kind. */
    private ObjectNode ofKinds(Class<?> type) {
        ObjectNode choice = object();
        ArrayNode kinds = choice.putArray("oneOf");
        for (Class<?> kind : type.getPermittedSubclasses()) {
            kinds.add(ofRecord(kind));
            ObjectNode schema = (ObjectNode) schemas.required(nameOf(kind));
            schema.withObjectProperty("properties").putObject(ValueJson.KIND).put("const", ValueJson.kindOf(kind));
            schema.withArrayProperty("required").add(ValueJson.KIND);
        }
        choice.putObject("discriminator").put("propertyName", ValueJson.KIND);
        return choice;
    }

    private ObjectNode ofComponent(RecordComponent component) {
        ShownAs shownAs = component.getAnnotation(ShownAs.class);
        AnnotatedType type = component.getAnnotatedType();
        ObjectNode schema = orNull(type, of(type, shownAs == null ? null : shownAs.value()));
        Meaning meaning = component.getAnnotation(Meaning.class);
        Reported reported = component.getAnnotation(Reported.class);
        String description = meaning != null ? meaning.value() : reported == null ? null : reported.value();
        return description == null ? schema : schema.put("description", description);
    }

    private ObjectNode of(AnnotatedType annotated, @Nullable String treeSchema) {
        if (annotated instanceof AnnotatedParameterizedType generic) {
            Class<?> raw = rawType(generic.getType());
            AnnotatedType[] arguments = generic.getAnnotatedActualTypeArguments();
            ObjectNode element = of(arguments[arguments.length - 1], treeSchema);
            return Collection.class.isAssignableFrom(raw)
                    ? object().put("type", "array").set("items", element)
                    : object().put("type", "object").set("additionalProperties", element);
        }
        Class<?> type = rawType(annotated.getType());
        return treeSchema != null && JsonNode.class.isAssignableFrom(type) ? reference(treeSchema) : ofClass(type);
    }

    private static ObjectNode orNull(AnnotatedElement annotated, ObjectNode schema) {
        if (!annotated.isAnnotationPresent(Nullable.class)) {
            return schema;
        }
        if (schema.path("type").isTextual()) {
            String type = schema.path("type").textValue();
            schema.putArray("type").add(type).add("null");
            return schema;
        }
        ObjectNode either = object();
        either.putArray("anyOf").add(schema).add(object().put("type", "null"));
        return either;
    }

    /** Returns the name without the word View: {@code StreamView.Page} is a StreamPage. */
    private static String nameOf(Class<?> type) {
        String name = type.getSimpleName();
        for (Class<?> outer = type.getEnclosingClass(); outer != null; outer = outer.getEnclosingClass()) {
            name = outer.getSimpleName() + name;
        }
        return name.replace("View", "");
    }

    private static ObjectNode referenceTo(String name) {
        return object().put("$ref", "#/components/schemas/" + name);
    }

    private static Class<?> rawType(Type type) {
        return type instanceof ParameterizedType generic ? (Class<?>) generic.getRawType() : (Class<?>) type;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /**
     * Returns the fields of commands as in their record, except that times may be texts and a duration may stand for a
     * TTL.
     */
    private ObjectNode commandFields() {
        ObjectNode schema = object().put("type", "object");
        schema.put(
                "description",
                "The fields of a command; fields in the path or the query are left out, and fields that are given twice must"
                        + " be the same.");
        ObjectNode properties = schema.putObject("properties");
        for (CommandField<?> field : Command.Kinds.fields()) {
            Schema.Field avro = EbbSchemas.COMMAND.getField(field.text());
            ObjectNode property = field.isTime() ? referenceTo("Time") : ofAvro(avro.schema());
            properties.set(field.text(), property.put("description", avro.doc()));
        }
        Command.Kinds.LIST.forEach(kind ->
                properties.withObjectProperty("verb").withArrayProperty("enum").add(kind.verb()));
        properties
                .putObject("ttl")
                .put("type", "string")
                .put("description", "set-ttl: ttlMs as a duration such as 36h.");
        return schema.put("additionalProperties", false);
    }

    private static ObjectNode ofAvro(Schema avro) {
        return switch (avro.getType()) {
            case UNION -> ofAvro(avro.getTypes().get(avro.getTypes().size() - 1));
            case ARRAY -> object().put("type", "array").set("items", ofAvro(avro.getElementType()));
            case LONG -> object().put("type", "integer").put("format", "int64");
            case BOOLEAN, STRING -> object().put("type", avro.getName());
            default -> throw new IllegalArgumentException(avro + " cannot be described");
        };
    }

    private static ObjectNode written() {
        try (InputStream in = ApiSchemas.class.getResourceAsStream(WRITTEN)) {
            JsonNode tree =
                    ApiJson.parse(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
            return (ObjectNode) Objects.requireNonNull(tree);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
