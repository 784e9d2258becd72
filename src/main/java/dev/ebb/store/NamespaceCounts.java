package dev.ebb.store;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What the namespaces of one partition hold, kept exact by increments. Not thread-safe; snapshots are. */
final class NamespaceCounts {

    private final Map<String, long[]> byNamespace = new HashMap<>();

    private static final int STREAMS = 0;
    private static final int BYTES = 1;
    private static final int LOCKED = 2;
    private static final int EVENTS = 3;
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

    void add(String namespace, Location location, int sign, boolean isLocked) {
        long[] counts = counts(namespace);
        counts[EVENTS + location.range().ordinalOfEvents()] += sign;
        counts[BYTES] += sign * location.sizeBytes();
        counts[LOCKED] += isLocked ? sign : 0;
    }

    /** Counts in or out all that an execution holds. */
    void add(Segment segment, int sign) {
        long[] counts = counts(segment.stream.stream().namespace());
        for (Range range : Range.OF_EVENTS) {
            counts[EVENTS + range.ordinalOfEvents()] += sign * segment.count(range);
        }
        counts[BYTES] += sign * segment.totalBytes();
        counts[LOCKED] += sign * segment.lockedEvents();
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
                counts[STREAMS],
                ordered + timed + infinite + pinned,
                counts[BYTES],
                pinned + counts[LOCKED],
                infinite,
                timed);
    }

    private long[] counts(String namespace) {
        return byNamespace.computeIfAbsent(namespace, name -> new long[FIELDS]);
    }
}
