package dev.ebb.serde.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.ebb.domain.source.FormatChoice;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceFields;
import dev.ebb.domain.source.SourceStart;
import dev.ebb.domain.source.SourceStatus;
import dev.ebb.domain.source.SourceTarget;
import dev.ebb.domain.source.SourceTime;
import dev.ebb.domain.time.Durations;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes a source as its declaration, without fields that have their usual value. Stateless. */
final class SourceWriter {

    private SourceWriter() {}

    static ObjectNode write(Source source) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", source.name());
        json.put("topic", source.topic());
        json.put("as", source.form().text());
        format(json, "key", source.key(), FormatChoice.Kind.TEXT);
        format(json, "value", source.value(), FormatChoice.Kind.JSON);
        fields(json, source.fields());
        if (source.keep() != Source.Keep.REFERENCE) {
            json.put("keep", source.keep().text());
        }
        if (source.from().at() != SourceStart.At.EARLIEST) {
            json.put("from", source.from().toString());
        }
        target(json, source.target());
        if (source.isPaused()) {
            json.put("paused", true);
        }
        return json;
    }

    private static void fields(ObjectNode json, SourceFields fields) {
        text(json, "stream", fields.stream());
        text(json, "id", fields.id());
        text(json, "type", fields.type());
        SourceStatus status = fields.status();
        if (status != null) {
            ObjectNode object =
                    json.putObject("status").put("from", status.from().toString());
            object.set("map", texts(status.map()));
        }
        time(json, "occurredAt", fields.occurredAt());
        time(json, "completedAt", fields.completedAt());
        time(json, "expiresAt", fields.expiresAt());
        text(json, "correlationId", fields.correlationId());
        if (!fields.metadata().isEmpty()) {
            json.set("metadata", texts(fields.metadata()));
        }
    }

    private static void text(ObjectNode json, String name, @Nullable Object value) {
        if (value != null) {
            json.put(name, value.toString());
        }
    }

    private static ObjectNode texts(Map<String, ?> values) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        new TreeMap<>(values).forEach((name, value) -> object.put(name, value.toString()));
        return object;
    }

    private static void time(ObjectNode json, String name, @Nullable SourceTime time) {
        if (time == null) {
            return;
        }
        SourceTime.Unit unit = time.unit();
        if (unit == null && time.plusMs() == 0) {
            json.put(name, time.from().toString());
            return;
        }
        ObjectNode object = json.putObject(name).put("from", time.from().toString());
        if (unit != null) {
            object.put("unit", unit.text());
        }
        if (time.plusMs() > 0) {
            object.put("plus", Durations.format(time.plusMs()));
        }
    }

    private static void format(ObjectNode json, String name, FormatChoice format, FormatChoice.Kind usual) {
        if (format.equals(FormatChoice.of(usual))) {
            return;
        }
        json.set(
                name,
                format.kind() == FormatChoice.Kind.CONVERTER
                        ? converter(format)
                        : TextNode.valueOf(format.kind().text()));
    }

    private static JsonNode converter(FormatChoice format) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("converter", format.className());
        options(json, format.options());
        if (!format.transforms().isEmpty()) {
            ArrayNode transforms = json.putArray("transforms");
            format.transforms().forEach(transform -> {
                ObjectNode one = transforms.addObject().put("type", transform.className());
                options(one, transform.options());
            });
        }
        return json;
    }

    private static void options(ObjectNode json, Map<String, String> options) {
        if (!options.isEmpty()) {
            json.set("options", texts(options));
        }
    }

    private static void target(ObjectNode json, SourceTarget target) {
        switch (target.kind()) {
            case NONE -> {}
            case SAME -> json.putObject("target").put("tombstones", "same");
            case TOPIC -> json.putObject("target").putObject("tombstones").put("topic", target.topic());
            case TRUNCATE -> json.put("target", "truncate");
        }
    }
}
