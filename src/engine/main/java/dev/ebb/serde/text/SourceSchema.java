package dev.ebb.serde.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.source.FormatChoice;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceTime;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The part of {@link PolicyFileSchema} that describes a source: the fields of {@link SourceParser#FIELDS}, with their words and
 * forms. Stateless.
 */
final class SourceSchema {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String PATH =
            "^(key|value)(\\.[^.]+)*$|^header\\..+$|^record\\.(topic|partition|offset|timestamp)$";
    private static final String DURATION = "^\\s*([0-9]+\\s*(ms|s|mo|m|h|d|w)|[Pp][0-9DTHMSWdthmsw.+-]+)\\s*$";

    private SourceSchema() {}

    /** Returns the schema of one source. */
    static ObjectNode schema() {
        ObjectNode source = object(List.of("name", "topic", "as", "stream"));
        ObjectNode fields = source.putObject("properties");
        SourceParser.FIELDS.forEach(name -> fields.set(name, field(name)));
        return source;
    }

    private static ObjectNode field(String name) {
        return switch (name) {
            case "name" -> text("The name of the source; unique.").put("minLength", 1);
            case "topic" -> topic("The topic of the other application.");
            case "as" ->
                words("table: the key is the identity. log: each record is an event.", texts(Source.Form.values()));
            case "key" -> format("The format of keys; text if not named.");
            case "value" -> format("The format of values; json if not named.");
            case "stream" ->
                template("The stream of the event: a text with paths in braces.", "orders/{value.customerId}");
            case "id" -> template("The id of the event, of a log only.", "{value.id}");
            case "type" -> template("The type of the event.", "{value.type}");
            case "status" -> status();
            case "occurredAt" -> time("The time at which it occurred.", false);
            case "completedAt" -> time("The time at which its work ended.", false);
            case "expiresAt" -> time("The end of its life.", true);
            case "correlationId" -> path("The path of the correlation id.");
            case "metadata" -> mapOf("Paths by the name of the metadata.", path("A path."));
            case "keep" ->
                words(
                        "reference: no bytes of the record are stored. payload: its value is.",
                        texts(Source.Keep.values()));
            case "from" -> text("The first record to read: earliest, latest or a time.");
            case "target" -> target();
            case "paused" ->
                NODES.objectNode().put("description", "True: not read for now.").put("type", "boolean");
            default -> throw new IllegalStateException("field " + name + " has no schema");
        };
    }

    private static List<String> texts(Enum<?>[] values) {
        return Stream.of(values)
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    private static ObjectNode format(String description) {
        ObjectNode format = NODES.objectNode().put("description", description);
        ArrayNode forms = format.putArray("oneOf");
        forms.add(words(
                "A built-in format.",
                Stream.of(FormatChoice.Kind.values())
                        .filter(kind -> kind != FormatChoice.Kind.CONVERTER)
                        .map(FormatChoice.Kind::text)
                        .toList()));
        ObjectNode converter = object(List.of("converter"));
        ObjectNode fields = converter.putObject("properties");
        fields.set("converter", className("The class of a Converter of Kafka Connect."));
        fields.set("options", options());
        ObjectNode transform = object(List.of("type"));
        ObjectNode parts = transform.putObject("properties");
        parts.set("type", className("The class of a Transformation of Kafka Connect."));
        parts.set("options", options());
        fields.putObject("transforms")
                .put("description", "The transformations after it, in their order.")
                .put("type", "array")
                .put("maxItems", ConverterParser.MAX_TRANSFORMS)
                .set("items", transform);
        forms.add(converter);
        return format;
    }

    private static ObjectNode status() {
        ObjectNode status = object(List.of("from", "map")).put("description", "The status of the event.");
        ObjectNode fields = status.putObject("properties");
        fields.set("from", path("The path of the value that tells the status."));
        ObjectNode map = mapOf(
                "The status of each value, such as SHIPPED: completed; a value that is not named protects.",
                text("A status.").put("minLength", 1));
        fields.set("map", map.put("minProperties", 1));
        return status;
    }

    private static ObjectNode time(String description, boolean hasPlus) {
        ObjectNode time = NODES.objectNode().put("description", description);
        ArrayNode forms = time.putArray("oneOf");
        forms.add(path("A path."));
        ObjectNode parts = object(List.of("from"));
        ObjectNode fields = parts.putObject("properties");
        fields.set("from", path("The path of the time."));
        fields.set("unit", words("The unit of a number.", texts(SourceTime.Unit.values())));
        if (hasPlus) {
            fields.set("plus", text("A duration after it, such as 30d.").put("pattern", DURATION));
        }
        forms.add(parts);
        return time;
    }

    private static ObjectNode target() {
        ObjectNode target = NODES.objectNode().put("description", "The consequence of a removal for a topic.");
        ArrayNode forms = target.putArray("oneOf");
        forms.add(words("truncate: the start of a log moves.", List.of("none", "truncate")));
        ObjectNode tombstones = object(List.of("tombstones"));
        ObjectNode where = tombstones.putObject("properties").putObject("tombstones");
        ObjectNode other = object(List.of("topic"));
        other.putObject("properties").set("topic", topic("The topic that gets them."));
        where.put("description", "The topic that gets tombstones: the same one, or another one.");
        where.putArray("oneOf")
                .add(words("The topic of the source.", List.of("same")))
                .add(other);
        forms.add(tombstones);
        return target;
    }

    private static ObjectNode path(String description) {
        return text(description).put("pattern", PATH);
    }

    private static ObjectNode template(String description, String example) {
        ObjectNode template = text(description).put("minLength", 1);
        template.putArray("examples").add(example);
        return template;
    }

    private static ObjectNode topic(String description) {
        return text(description).put("pattern", "^" + SourceParser.TOPIC.pattern() + "$");
    }

    private static ObjectNode className(String description) {
        return text(description).put("pattern", "^" + ConverterParser.CLASS_NAME.pattern() + "$");
    }

    private static ObjectNode options() {
        ObjectNode value = NODES.objectNode();
        value.putArray("type").add("string").add("number").add("boolean");
        return mapOf("Its options.", value);
    }

    private static ObjectNode mapOf(String description, ObjectNode value) {
        ObjectNode map = NODES.objectNode().put("description", description).put("type", "object");
        map.set("additionalProperties", value);
        return map;
    }

    private static ObjectNode words(String description, List<String> words) {
        ObjectNode described = text(description);
        ArrayNode all = described.putArray("enum");
        words.forEach(all::add);
        return described;
    }

    private static ObjectNode text(String description) {
        return NODES.objectNode().put("description", description).put("type", "string");
    }

    private static ObjectNode object(List<String> required) {
        ObjectNode object = NODES.objectNode().put("type", "object").put("additionalProperties", false);
        ArrayNode names = object.putArray("required");
        required.forEach(names::add);
        return object;
    }
}
