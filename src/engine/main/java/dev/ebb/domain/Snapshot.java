package dev.ebb.domain;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Makes immutable copies at a cost that depends on the number of entries, not on the hashes of the keys. The copies of
 * the JDK ({@link Map#copyOf}, {@link Set#copyOf} and those of its collectors) use linear probing: names with equal
 * hashes, which are easy to make, cost the square of their number. Keys should be comparable, as texts are. Stateless.
 */
public final class Snapshot {

    /** Number of entries up to which the square does not matter and the copies of the JDK are the smallest. */
    private static final int FEW = 16;

    private Snapshot() {}

    /**
     * Returns a copy of the map, in its order if it has more than a few entries.
     *
     * @throws NullPointerException if a key or a value is null
     */
    public static <K, V> Map<K, V> of(Map<? extends K, ? extends V> map) {
        if (map.size() <= FEW) {
            return Map.copyOf(map);
        }
        Map<K, V> copy = new LinkedHashMap<>(map);
        copy.forEach((key, value) -> {
            Objects.requireNonNull(key);
            Objects.requireNonNull(value);
        });
        return Collections.unmodifiableMap(copy);
    }

    /**
     * Returns a copy of the elements, in their order if there are more than a few.
     *
     * @throws NullPointerException if an element is null
     */
    public static <T> Set<T> of(Collection<? extends T> elements) {
        if (elements.size() <= FEW) {
            return Set.copyOf(elements);
        }
        Set<T> copy = new LinkedHashSet<>(elements);
        copy.forEach(Objects::requireNonNull);
        return Collections.unmodifiableSet(copy);
    }

    /**
     * Returns a copy of the map in the order of its constants.
     *
     * @throws NullPointerException if a key or a value is null
     */
    public static <K extends Enum<K>, V> Map<K, V> sorted(Class<K> type, Map<K, V> map) {
        if (map.isEmpty()) {
            return Map.of();
        }
        Map<K, V> copy = new EnumMap<>(type);
        copy.putAll(map);
        copy.values().forEach(Objects::requireNonNull);
        return Collections.unmodifiableMap(copy);
    }
}
