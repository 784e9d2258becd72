package dev.ebb.domain;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map whose changed copies share all unchanged parts with it. The cost of a copy, and of the comparison of
 * a map with its copy, depends on the number of changes, not on the size of the map. Entries are in no particular
 * order. Thread-safe.
 *
 * @param <K> keys, which are not null
 * @param <V> values, which are not null
 */
public final class SharingMap<K, V> extends AbstractMap<K, V> {

    private static final int FIRST_PARTS = 16;

    /** Average number of entries in each part above which the next copy has more parts. */
    private static final int USUAL_ENTRIES = 32;

    private static final int GROWTH = 8;
    private static final int MOST_PARTS = FIRST_PARTS * GROWTH * GROWTH * GROWTH;

    private static final SharingMap<?, ?> EMPTY = new SharingMap<>(emptyParts(FIRST_PARTS), 0);

    /** Parts that never change; their number is a power of two. */
    private final List<Map<K, V>> parts;

    private final int size;

    private SharingMap(List<Map<K, V>> parts, int size) {
        this.parts = parts;
        this.size = size;
    }

    @SuppressWarnings("unchecked") // the empty map has no value of another type
    public static <K, V> SharingMap<K, V> empty() {
        return (SharingMap<K, V>) EMPTY;
    }

    /** Returns a map of these entries. */
    public static <K, V> SharingMap<K, V> of(Map<K, V> entries) {
        return SharingMap.<K, V>empty().with(entries);
    }

    private static <K, V> List<Map<K, V>> emptyParts(int count) {
        return Collections.nCopies(count, Map.of());
    }

    /** Returns a copy with the given value. */
    public SharingMap<K, V> with(K key, V value) {
        return with(Map.of(key, value));
    }

    /**
     * Returns a copy with these changes.
     *
     * @param changes new values by key; null removes the key
     */
    public SharingMap<K, V> with(Map<K, ? extends @Nullable V> changes) {
        return new Copy(changes.size()).with(changes);
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        return key == null ? null : parts.get(partOf(key, parts.size())).get(key);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return get(key) != null;
    }

    @Override
    public int size() {
        return size;
    }

    /** Passes on all keys whose values differ in the two maps; quick if one is a copy of the other. */
    public void differences(SharingMap<K, V> other, Consumer<K> listener) {
        if (parts.size() != other.parts.size()) {
            differences(this, other, listener);
            return;
        }
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i) != other.parts.get(i)) {
                differences(parts.get(i), other.parts.get(i), listener);
            }
        }
    }

    private static <K, V> void differences(Map<K, V> one, Map<K, V> other, Consumer<K> listener) {
        one.forEach((key, value) -> {
            V there = other.get(key);
            if (value != there && !value.equals(there)) {
                listener.accept(key);
            }
        });
        other.keySet().stream().filter(key -> !one.containsKey(key)).forEach(listener);
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        return new Entries();
    }

    private static int partOf(Object key, int count) {
        int hash = key.hashCode() * 0x9E3779B9;
        return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(count));
    }

    /** A copy under construction; it modifies in place only the parts that it has created. */
    private final class Copy {

        private final List<Map<K, V>> made;
        private final boolean[] isOwn;
        private int count = size;

        Copy(int more) {
            int wanted = wantedParts(size + (long) more);
            isOwn = new boolean[wanted];
            made = new ArrayList<>(wanted == parts.size() ? parts : SharingMap.<K, V>emptyParts(wanted));
            if (wanted != parts.size()) {
                parts.forEach(part -> part.forEach((key, value) -> own(key).put(key, value)));
            }
        }

        /**
         * Returns the present number of parts, unless the parts would hold far more or far fewer entries than usual.
         */
        private int wantedParts(long entries) {
            int wanted = parts.size();
            while (wanted < MOST_PARTS && entries > (long) wanted * USUAL_ENTRIES) {
                wanted *= GROWTH;
            }
            while (wanted > FIRST_PARTS && entries * GROWTH * GROWTH < (long) wanted * USUAL_ENTRIES) {
                wanted /= GROWTH;
            }
            return wanted;
        }

        private Map<K, V> own(K key) {
            int index = partOf(key, isOwn.length);
            if (!isOwn[index]) {
                made.set(index, new HashMap<>(made.get(index)));
                isOwn[index] = true;
            }
            return made.get(index);
        }

        SharingMap<K, V> with(Map<K, ? extends @Nullable V> changes) {
            changes.forEach((key, value) -> {
                V before = value == null ? own(key).remove(key) : own(key).put(key, value);
                count += (value == null ? 0 : 1) - (before == null ? 0 : 1);
            });
            return new SharingMap<>(made, count);
        }
    }

    private final class Entries extends AbstractSet<Entry<K, V>> {

        @Override
        public int size() {
            return size;
        }

        @Override
        public Iterator<Entry<K, V>> iterator() {
            return parts.stream()
                    .flatMap(part -> part.entrySet().stream())
                    .map(entry -> Map.entry(entry.getKey(), Objects.requireNonNull(entry.getValue())))
                    .iterator();
        }
    }
}
