package dev.ebb.store;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the namespaces of one partition hold, kept exact by increments. Not thread-safe; snapshots are. */
final class NamespaceCounts {

    private final Map<String, long[]> byNamespace = new HashMap<>();

    /** What was said last, as long as that is still so: a task says each second how it stands, and most stand still. */
    private @Nullable Map<String, NamespaceTotals> snapshot;

    private static final int STREAMS = 0;
    private static final int BYTES = 1;
    private static final int EVENTS = 2;
    private static final int LOCKED = EVENTS + Range.OF_EVENTS.length;
    private static final int FIELDS = LOCKED + Range.OF_EVENTS.length;

    void clear() {
        byNamespace.clear();
        snapshot = null;
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
        counts[LOCKED + location.range().ordinalOfEvents()] += isLocked ? sign : 0;
    }

    /** Counts in or out all that an execution holds. */
    void add(Segment segment, int sign) {
        long[] counts = counts(segment.stream.stream().namespace());
        for (Range range : Range.OF_EVENTS) {
            counts[EVENTS + range.ordinalOfEvents()] += sign * segment.count(range);
            counts[LOCKED + range.ordinalOfEvents()] += sign * segment.lockedEvents(range);
        }
        counts[BYTES] += sign * segment.totalBytes();
    }

    Map<String, NamespaceTotals> snapshot() {
        Map<String, NamespaceTotals> current = snapshot;
        if (current == null) {
            current = byNamespace.entrySet().stream()
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> totals(entry.getValue())));
            snapshot = current;
        }
        return current;
    }

    private static NamespaceTotals totals(long[] counts) {
        long events = 0;
        long locked = 0;
        for (Range range : Range.OF_EVENTS) {
            events += counts[EVENTS + range.ordinalOfEvents()];
            locked += counts[LOCKED + range.ordinalOfEvents()];
        }
        return new NamespaceTotals(
                counts[STREAMS],
                events,
                counts[BYTES],
                counts[EVENTS + Range.PINNED.ordinalOfEvents()] + locked,
                free(counts, Range.INFINITE),
                free(counts, Range.TIMED));
    }

    /** Those that no execution protects. */
    private static long free(long[] counts, Range range) {
        return counts[EVENTS + range.ordinalOfEvents()] - counts[LOCKED + range.ordinalOfEvents()];
    }

    /** Whoever asks for them is about to change them. */
    private long[] counts(String namespace) {
        snapshot = null;
        return byNamespace.computeIfAbsent(namespace, name -> new long[FIELDS]);
    }
}
