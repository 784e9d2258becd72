package dev.ebb.serde.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.policy.FieldType;
import dev.ebb.domain.policy.PolicyField;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The JSON Schema of a file of policies, holds and sources, made from the catalogue of policy fields and the list of
 * fields of a source, for editors and other tools. It takes every file of {@link PolicyFile}, and refuses misspelt fields and
 * values of the wrong form; what only Ebb can check, such as the bounds of a duration, is left to {@code ebb policy validate}.
 * Stateless.
 */
public final class PolicyFileSchema {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** Draft 7 is the newest that the common editors know. */
    private static final String DRAFT = "http://json-schema.org/draft-07/schema#";

    private static final String ID = "https://ebb.dev/schemas/policies.schema.json";

    /** As {@link dev.ebb.domain.time.Durations} reads it, a word for no limit aside. */
    private static final String DURATION = "\\s*([0-9]+\\s*(ms|s|mo|m|h|d|w)|[Pp][0-9DTHMSWdthmsw.+-]+)\\s*";

    private static final String NAMED_SCOPE = "(stream|namespace|pattern):.+";
    private static final String COVER = "(stream|namespace):.+";
    private static final String EVERYTHING = "\\*";

    private PolicyFileSchema() {}

    /** Returns the schema. */
    public static ObjectNode schema() {
        ObjectNode schema = NODES.objectNode();
        schema.put("$schema", DRAFT)
                .put("$id", ID)
                .put("title", "Policies and sources of Ebb")
                .put(
                        "description",
                        "A file of policies, holds and sources, as 'ebb policy apply' and 'ebb source apply' take it.")
                .put("type", "object")
                .put("additionalProperties", false);
        ArrayNode lists = schema.putArray("anyOf");
        lists.addObject().putArray("required").add("policies");
        lists.addObject().putArray("required").add("sources");
        ObjectNode properties = schema.putObject("properties");
        list(properties, "policies", "The policies; an empty list for none.");
        list(properties, "holds", "The holds, which keep all that they cover until they are released.");
        list(properties, "sources", "The sources: topics of other applications whose records are events.");
        ObjectNode definitions = schema.putObject("definitions");
        definitions.set("policies", policy());
        definitions.set("holds", hold());
        definitions.set("sources", SourceSchema.schema());
        return schema;
    }

    private static void list(ObjectNode lists, String name, String description) {
        lists.putObject(name)
                .put("description", description)
                .put("type", "array")
                .putObject("items")
                .put("$ref", "#/definitions/" + name);
    }

    private static ObjectNode policy() {
        ObjectNode policy = object("scope");
        ObjectNode fields = policy.putObject("properties");
        fields.putObject("scope")
                .put("description", "stream:<name>, namespace:<name>, pattern:<name> or *, in quotation marks.")
                .put("type", "string")
                .put("pattern", whole(NAMED_SCOPE, EVERYTHING));
        for (PolicyField<?> field : PolicyField.ALL) {
            ObjectNode described = fields.putObject(field.fieldName()).put("description", field.meaning());
            describe(described, field.type());
            if (!field.examples().isEmpty()) {
                ArrayNode examples = described.putArray("examples");
                field.examples().forEach(examples::addPOJO);
            }
        }
        return policy;
    }

    private static void describe(ObjectNode described, FieldType<?> type) {
        if (!type.words().isEmpty()) {
            ArrayNode words = described.put("type", "string").putArray("enum");
            type.words().forEach(word -> words.add(word.toString()));
            return;
        }
        switch (type.written()) {
            case TRUTH -> described.put("type", "boolean");
            case NUMBER -> {
                ArrayNode forms = described.putArray("oneOf");
                forms.addObject().put("type", "integer").put("minimum", 1);
                forms.addObject().put("type", "string").put("pattern", whole("[0-9]{1,18}", noLimit(type)));
            }
            case TEXT -> {
                described.put("type", "string");
                if (type.noun().equals("DURATION")) {
                    described.put("pattern", whole(DURATION, noLimit(type)));
                }
            }
        }
    }

    /** Returns the word for no limit in any case; nothing where a field has none. */
    private static String noLimit(FieldType<?> type) {
        return Stream.of("unlimited", "none")
                .filter(word -> reads(type, word))
                .map(PolicyFileSchema::inAnyCase)
                .collect(Collectors.joining());
    }

    private static boolean reads(FieldType<?> type, String word) {
        try {
            return !type.read(word).toString().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String inAnyCase(String word) {
        return word.chars()
                .mapToObj(letter -> "[" + (char) Character.toUpperCase(letter) + (char) letter + "]")
                .collect(Collectors.joining());
    }

    private static ObjectNode hold() {
        ObjectNode hold = object("case", "covers");
        ObjectNode fields = hold.putObject("properties");
        text(fields, "case", "The case that names the hold.").put("minLength", 1);
        text(fields, "covers", "What it keeps: stream:<name>, namespace:<name> or *, in quotation marks.")
                .put("pattern", whole(COVER, EVERYTHING));
        text(fields, "reason", "The author's reason.");
        text(fields, "placedBy", "Author of the hold.");
        ArrayNode times = fields.putObject("placedAt")
                .put("description", "Time at which it was placed: ISO-8601, or epoch milliseconds.")
                .putArray("type");
        times.add("string").add("integer");
        return hold;
    }

    private static ObjectNode text(ObjectNode fields, String name, String description) {
        return fields.putObject(name).put("description", description).put("type", "string");
    }

    private static ObjectNode object(String... required) {
        ObjectNode object = NODES.objectNode().put("type", "object").put("additionalProperties", false);
        ArrayNode names = object.putArray("required");
        List.of(required).forEach(names::add);
        return object;
    }

    private static String whole(String one, String other) {
        return "^(" + one + (other.isEmpty() ? "" : "|" + other) + ")$";
    }
}
