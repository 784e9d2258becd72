package dev.ebb.domain.erase;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.MetadataRule;
import dev.ebb.domain.source.SourcePlace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A condition on an event: a text of the event equals the given text exactly. Nothing is trimmed, and case matters.
 * Written as {@code metadata.user=42}.
 *
 * @param field the name of a field, or {@code metadata.} and the name of a text in the metadata
 * @param value the text; never empty
 */
public record EventCondition(String field, String value) {

    /** Most conditions that are asked at once. */
    public static final int MOST = 64;

    /** Most bytes of all conditions as text: enough for the longest value in metadata, and more. */
    public static final int MAX_BYTES = 131_072;

    private static final String METADATA = "metadata.";

    /** Fields of an event that a condition may name, besides its metadata. */
    public enum Field {
        STREAM("stream", event -> event.stream().value()),
        ID("id", event -> event.id().value()),
        TYPE("type", Event::type),
        STATUS("status", Event::status),
        CORRELATION_ID("correlationId", Event::correlationId),
        CONTENT_TYPE("contentType", Event::contentType),
        SOURCE("source", EventCondition::sourceOf);

        private final String text;

        @SuppressWarnings("ImmutableEnumChecker") // a reference to a method
        private final Function<Event, @Nullable String> getter;

        Field(String text, Function<Event, @Nullable String> getter) {
            this.text = text;
            this.getter = getter;
        }

        private static @Nullable Field of(String name) {
            return Arrays.stream(values())
                    .filter(field -> field.text.equals(name))
                    .findFirst()
                    .orElse(null);
        }
    }

    /** @throws IllegalArgumentException if events have no such field, or the value is empty */
    public EventCondition {
        if (!field.startsWith(METADATA) && Field.of(field) == null) {
            throw new IllegalArgumentException(
                    "'" + field + "' is not a field of an event; the fields are " + String.join(", ", known()));
        }
        if (value.isEmpty()) {
            throw new IllegalArgumentException("the condition on " + field + " has no value");
        }
    }

    /** Returns the condition that an event is of that source. */
    public static EventCondition ofSource(String name) {
        return new EventCondition(Field.SOURCE.text, name);
    }

    private static @Nullable String sourceOf(Event event) {
        SourcePlace place = SourcePlace.of(event);
        return place == null ? null : place.source();
    }

    /**
     * Returns the condition that {@link #toString()} writes as this text; the value may contain further equals signs, and
     * a name in the metadata too if it stands in quotation marks.
     *
     * @throws IllegalArgumentException if the text is not a condition
     */
    public static EventCondition parse(String text) {
        if (text.startsWith(METADATA)) {
            Map.Entry<String, String> read = MetadataRule.read(text.substring(METADATA.length()));
            if (read == null) {
                throw noCondition(text);
            }
            return new EventCondition(METADATA + read.getKey(), read.getValue());
        }
        int equals = text.indexOf('=');
        if (equals < 0) {
            throw noCondition(text);
        }
        return new EventCondition(text.substring(0, equals), text.substring(equals + 1));
    }

    private static IllegalArgumentException noCondition(String text) {
        return new IllegalArgumentException("'" + text
                + "' is not a condition such as metadata.user=42; a name that is empty or has an equals sign stands in"
                + " quotation marks, such as metadata.\"a=b\"=42");
    }

    private static List<String> known() {
        List<String> names = new ArrayList<>();
        for (Field known : Field.values()) {
            names.add(known.text);
        }
        names.add(METADATA + "<key>");
        return names;
    }

    /** Returns the field; null for a condition on the metadata. */
    public @Nullable Field named() {
        return Field.of(field);
    }

    /** Returns the name of the text in the metadata; null for a condition on a field. */
    public @Nullable String metadataKey() {
        return named() == null ? field.substring(METADATA.length()) : null;
    }

    /** Returns true if the event meets the condition. */
    public boolean matches(Event event) {
        Field named = named();
        return value.equals(named == null ? event.metadata().get(metadataKey()) : named.getter.apply(event));
    }

    /** Returns the reason why these conditions cannot be asked together; null if they can. */
    public static @Nullable String problem(List<EventCondition> conditions) {
        if (conditions.size() > MOST) {
            return "has " + conditions.size() + " conditions; at most " + MOST + " may be asked at once";
        }
        long bytes = conditions.stream()
                .mapToLong(condition -> condition.toString().getBytes(StandardCharsets.UTF_8).length)
                .sum();
        return bytes > MAX_BYTES ? "takes " + bytes + " bytes; all conditions may take " + MAX_BYTES : null;
    }

    /** Returns true if the event meets all conditions. */
    public static boolean areAllMetBy(Event event, List<EventCondition> conditions) {
        return conditions.stream().allMatch(condition -> condition.matches(event));
    }

    @Override
    public String toString() {
        String key = metadataKey();
        return key == null ? field + "=" + value : METADATA + MetadataRule.written(key, value);
    }
}
