package dev.ebb.wire.read;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A parameter of a read: a component of its query.
 *
 * @param name its name in the path or in the query of a request
 * @param type the type of its value
 * @param meaning one or several sentences
 * @param label the word for its value in help texts
 * @param option its option on the command line, unless it is in the path
 * @param isInPath true if the path holds the value, which is then required
 */
public record ReadParameter(String name, Class<?> type, String meaning, String label, String option, boolean isInPath) {

    /** Words for values that have a kind in common with others. */
    private static final Map<String, String> LABELS =
            Map.of("namespace", "NAME", "actor", "NAME", "sweep", "ID", "event", "ID", "prefix", "TEXT", "limit", "N");

    /** Parameters that mean the same in each read. */
    private static final Set<String> KNOWN = Set.of("time", "limit", "after");

    static ReadParameter of(RecordComponent component, String path) {
        Parameter said = component.getAnnotation(Parameter.class);
        String name = said == null || said.name().isEmpty() ? component.getName() : said.name();
        String usual = LABELS.getOrDefault(name, name.toUpperCase(Locale.ROOT));
        String label = said == null || said.label().isEmpty() ? usual : said.label();
        if (said == null && !KNOWN.contains(name)) {
            throw new IllegalArgumentException("the parameter '" + name + "' of " + path + " is not described");
        }
        String meaning = said == null ? "" : said.value();
        Class<?> type = component.getType();
        return new ReadParameter(
                name,
                type,
                meaning.replace("{words}", String.join(", ", words(type))),
                label,
                said == null || said.option().isEmpty() ? "--" + name : said.option(),
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
