package dev.ebb.domain;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Copies that never change, and that cost what is in them whatever their keys are called. The copies of the JDK
 * ({@link Map#copyOf}, {@link Set#copyOf} and what its collectors make) try one place after the other: names with the same
 * hash, which anybody can make, cost the square of their number. Keys should be comparable, as texts are. Stateless.
 */
public final class Snapshot {

    /** So few that their square is nothing; the copies of the JDK are the smallest. */
    private static final int FEW = 16;

    private Snapshot() {}

    /**
     * The entries of a map, in its order if there are more than a few.
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
     * The elements of a set, in its order if there are more than a few.
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
}
