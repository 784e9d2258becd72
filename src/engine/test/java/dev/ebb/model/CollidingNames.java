package dev.ebb.model;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Names that were chosen for their equal hashes. */
public final class CollidingNames {

    private static final int PAIRS = 16;

    private CollidingNames() {}

    /** Different names with the same {@link String#hashCode()}, at most 65 536. */
    public static List<String> forJava(int count) {
        return names(count, "Aa", "BB");
    }

    /** Different names for which Jackson counts the same hash. */
    public static List<String> forJackson(int count) {
        return names(count, "aa", "b@");
    }

    /** Metadata with those names. */
    public static Map<String, String> metadata(List<String> names) {
        return names.stream().collect(Collectors.toMap(name -> name, name -> ""));
    }

    /** A JSON object with those names. */
    public static String json(List<String> names) {
        return names.stream().collect(Collectors.joining("\":\"\",\"", "{\"", "\":\"\"}"));
    }

    private static List<String> names(int count, String zero, String one) {
        IntFunction<String> name = number -> IntStream.range(0, PAIRS)
                .mapToObj(bit -> (number >> bit & 1) == 0 ? zero : one)
                .collect(Collectors.joining());
        return IntStream.range(0, count).mapToObj(name).toList();
    }
}
