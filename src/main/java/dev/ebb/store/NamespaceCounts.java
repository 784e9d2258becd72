package dev.ebb.store;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What the namespaces of one partition hold, kept exact by increments. Not thread-safe; snapshots are. */
final class NamespaceCounts {

    private final Map<String, long[]> byNamespace = new HashMap<>();

    private static final int STREAMS = 0;
    private static final int BYTES = 1;
    private static final int EVENTS = 2;
    private static final int FIELDS = EVENTS + Range.OF_EVENTS.length;

    void clear() {
        byNamespace.clear();
    }

    void addStream(String namespace, int streams) {
        long[] counts = counts(namespace);
        counts[STREAMS] += streams;
        if (counts[STREAMS] == 0) {
            byNamespace.remove(namespace);
        }
    }

    void add(String namespace, Location location, int sign) {
        add(namespace, location.range(), sign, sign * location.sizeBytes());
    }

    void add(String namespace, Range range, long events, long bytes) {
        long[] counts = counts(namespace);
        counts[EVENTS + range.ordinalOfEvents()] += events;
        counts[BYTES] += bytes;
    }

    Map<String, NamespaceTotals> snapshot() {
        return byNamespace.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> totals(entry.getValue())));
    }

    private static NamespaceTotals totals(long[] counts) {
        long ordered = counts[EVENTS + Range.ORDERED.ordinalOfEvents()];
        long timed = counts[EVENTS + Range.TIMED.ordinalOfEvents()];
        long infinite = counts[EVENTS + Range.INFINITE.ordinalOfEvents()];
        long pinned = counts[EVENTS + Range.PINNED.ordinalOfEvents()];
        return new NamespaceTotals(
                counts[STREAMS], ordered + timed + infinite + pinned, counts[BYTES], pinned, infinite, timed);
    }

    private long[] counts(String namespace) {
        return byNamespace.computeIfAbsent(namespace, name -> new long[FIELDS]);
    }
}
