package dev.ebb.wire.read;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A parameter of a read: a component of its query.
 *
 * @param name its name in the path or in the query of a request
 * @param type the type of its value
 * @param meaning one or several sentences
 * @param label the word for its value in help texts
 * @param isInPath true if the path holds the value, which is then required
 */
public record ReadParameter(String name, Class<?> type, String meaning, String label, boolean isInPath) {

    static ReadParameter of(RecordComponent component, String path) {
        Parameter said = component.getAnnotation(Parameter.class);
        String name = said == null || said.name().isEmpty() ? component.getName() : said.name();
        String label = said == null || said.label().isEmpty() ? name.toUpperCase(Locale.ROOT) : said.label();
        String meaning = said == null ? "" : said.value();
        Class<?> type = component.getType();
        return new ReadParameter(
                name,
                type,
                meaning.replace("{words}", String.join(", ", words(type))),
                label,
                path.contains("{" + name + "}"));
    }

    /** Returns all values of an enum in upper case; none for any other type. */
    public List<String> words() {
        return words(type);
    }

    /** Returns true if the value is true or false. */
    public boolean isFlag() {
        return type == boolean.class;
    }

    private static List<String> words(Class<?> type) {
        return type.isEnum()
                ? Stream.of(Objects.requireNonNull(type.getEnumConstants()))
                        .map(word -> ((Enum<?>) word).name())
                        .toList()
                : List.of();
    }
}
