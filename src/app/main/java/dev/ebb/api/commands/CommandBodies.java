package dev.ebb.api.commands;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.Moments;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandField;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.time.Durations;
import dev.ebb.serde.text.CommandParser;
import dev.ebb.serde.text.ParsedCommand;
import dev.ebb.wire.ProblemView.Fault;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the fields of a command from the path, the parameters and the body of a request. A field may stand in any of
 * them; a field that stands in several must have the same value in each.
 */
final class CommandBodies {

    private static final Map<String, CommandField<?>> TIMES = Command.Kinds.fields().stream()
            .filter(CommandField::isTime)
            .collect(Collectors.toMap(CommandField::text, field -> field));

    private final Context ctx;
    private final Map<String, Object> values = new LinkedHashMap<>();
    private final List<Fault> faults = new ArrayList<>();

    /** @param ctx the request, whose answer names the moments that were understood */
    CommandBodies(Context ctx) {
        this.ctx = ctx;
    }

    /** Adds a value; null adds none. */
    CommandBodies with(String field, @Nullable Object value) {
        Object before = value == null ? null : values.put(field, value);
        if (before != null && !before.equals(value)) {
            faults.add(new Fault(field, "is given twice, as '" + before + "' and as '" + value + "'"));
        }
        return this;
    }

    /** Returns true if the field has a value. */
    boolean has(String field) {
        return values.containsKey(field);
    }

    /** Notes a fault if neither of the fields has a value. */
    CommandBodies requireOneOf(String field, String other) {
        if (!has(field) && !has(other)) {
            faults.add(new Fault(field, "is missing, and so is " + other + ": without a condition nothing would go"));
        }
        return this;
    }

    /** Adds a value if the field has none. */
    CommandBodies orElse(String field, String value) {
        values.putIfAbsent(field, value);
        return this;
    }

    /** Sets a value in place of any other. */
    CommandBodies instead(String field, @Nullable String value) {
        if (value != null) {
            values.put(field, value);
        }
        return this;
    }

    /** Adds a parameter that must be a whole number. */
    CommandBodies withNumber(String field, @Nullable String text) {
        return with(field, text != null && text.matches("-?\\d{1,18}") ? (Object) Long.valueOf(text) : text);
    }

    /** Adds the fields of a body, which may be empty. */
    CommandBodies withBody(String body) {
        JsonNode json = body.isBlank() ? null : ApiJson.parseStrictly(body);
        if (json != null && json.isObject()) {
            json.properties().forEach(field -> withField(field.getKey(), field.getValue()));
        } else if (!body.isBlank()) {
            throw ProblemException.badRequest("the body is not a JSON object");
        }
        return this;
    }

    /** Returns the command; ends the request with every fault named if the fields make no valid command. */
    CommandRequest request() {
        ParsedCommand parsed = CommandParser.parse(values);
        parsed.faults().forEach(fault -> faults.add(new Fault(fault.field(), fault.message())));
        if (!faults.isEmpty() || parsed.request().isEmpty()) {
            throw new ProblemException(ProblemKind.BAD_REQUEST, "the command cannot be used", faults);
        }
        return parsed.request().get();
    }

    private void withField(String field, JsonNode json) {
        if (json.isNull()) {
            return;
        }
        if (field.equals("ttl")) {
            with("ttlMs", durationMs(json));
        } else {
            CommandField<?> time = TIMES.get(field);
            Object value = time != null && json.isTextual() ? timeMs(time, json.textValue()) : value(json);
            if (time != null && value instanceof Long ms) {
                Moments.note(ctx, field, ms);
            }
            with(field, value);
        }
    }

    /** Returns the duration; notes a fault and returns null if the text is no duration. */
    private @Nullable Long durationMs(JsonNode json) {
        try {
            return Durations.parseMs(json.asText());
        } catch (IllegalArgumentException e) {
            faults.add(new Fault("ttl", "is wrong: " + e.getMessage()));
            return null;
        }
    }

    /** Returns the time; notes a fault and returns null if the text is no time. */
    private @Nullable Long timeMs(CommandField<?> field, String text) {
        try {
            return field.moment(text, Moments.now(ctx));
        } catch (IllegalArgumentException e) {
            faults.add(new Fault(field.text(), "is not a time: " + e.getMessage()));
            return null;
        }
    }

    /** Returns the value of a field; JSON that no field can hold is left for the parser to refuse. */
    private static Object value(JsonNode json) {
        if (json.isBoolean()) {
            return json.booleanValue();
        }
        if (json.isIntegralNumber() && json.canConvertToLong()) {
            return json.longValue();
        }
        if (json.isArray()) {
            List<Object> values = new ArrayList<>();
            json.forEach(element -> values.add(value(element)));
            return values;
        }
        return json.isTextual() ? json.textValue() : json;
    }
}
