package dev.ebb.store.state;

import dev.ebb.domain.SharingMap;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.NamespaceTotals;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.UsageKeys;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The totals of the namespaces of one partition, kept exact by increments. Not thread-safe; snapshots are. */
public final class NamespaceCounts {

    private final Map<String, long[]> byNamespace = new HashMap<>();

    /** The last snapshot. A task reports each second, so the cost must not grow with the number of namespaces. */
    private SharingMap<String, NamespaceTotals> snapshot = SharingMap.empty();

    /** The namespaces that have changed since the last snapshot. */
    private final Set<String> changed = new HashSet<>();

    /** The namespaces whose records in the usage store are out of date. */
    private final Set<String> unsaved = new HashSet<>();

    /** The namespace that changed last; null if none has changed since the last snapshot. */
    private @Nullable String lastChanged;

    /** The recount under way, which receives all changes; null if there is none. */
    private @Nullable Watcher recount;

    private static final int STREAMS = 0;
    private static final int BYTES = 1;
    private static final int EVENTS = 2;
    private static final int LOCKED = EVENTS + Range.OF_EVENTS.size();
    private static final int FIELDS = LOCKED + Range.OF_EVENTS.size();

    /** Receives every change of the counts. */
    interface Watcher {

        /** Notes that a stream has come or gone, without its events. */
        void note(StreamState stream, int sign);

        /** Notes that an execution has come or gone with all its events. */
        void note(Segment segment, int sign);

        /** Notes that an event has come or gone. */
        void note(Segment segment, Location location, int sign);
    }

    void clear() {
        recount = null;
        byNamespace.clear();
        changed.clear();
        unsaved.clear();
        lastChanged = null;
        snapshot = SharingMap.empty();
    }

    /** Reads the records of all namespaces. */
    void open(KeyValueStore<Bytes, byte[]> usage) {
        try (var records =
                usage.range(UsageKeys.single(UsageKeys.TOTALS), UsageKeys.single((byte) (UsageKeys.TOTALS + 1)))) {
            while (records.hasNext()) {
                var entry = records.next();
                if (UsageKeys.kindOf(entry.key) == UsageKeys.TOTALS) {
                    String namespace = UsageKeys.nameOf(entry.key);
                    ByteReader in = new ByteReader(entry.value);
                    long[] counts = new long[FIELDS];
                    for (int i = 0; i < FIELDS; i++) {
                        counts[i] = in.readVarLong();
                    }
                    byNamespace.put(namespace, counts);
                    changed.add(namespace);
                }
            }
        }
    }

    /** Returns true if the records of namespaces are out of date. */
    boolean isUnsaved() {
        return !unsaved.isEmpty();
    }

    /** Writes the records that are out of date. */
    void save(KeyValueStore<Bytes, byte[]> usage) {
        for (String namespace : unsaved) {
            long[] counts = byNamespace.get(namespace);
            usage.put(UsageKeys.named(UsageKeys.TOTALS, namespace), counts == null ? null : encode(counts));
        }
        unsaved.clear();
        lastChanged = null;
    }

    private static byte[] encode(long[] counts) {
        ByteWriter out = new ByteWriter(2 * FIELDS);
        for (long count : counts) {
            out.writeVarLong(count);
        }
        return out.toBytes();
    }

    /** Adds (1) or subtracts (-1) a stream, without its events. */
    void addStream(StreamState stream, int sign) {
        addStream(stream.stream().namespace(), sign);
        if (recount != null) {
            recount.note(stream, sign);
        }
    }

    void addStream(String namespace, int streams) {
        long[] counts = counts(namespace);
        counts[STREAMS] += streams;
        if (counts[STREAMS] == 0) {
            byNamespace.remove(namespace);
        }
    }

    /** Adds (1) or subtracts (-1) an event of an execution. */
    public void add(Segment segment, Location location, int sign) {
        boolean isLocked = !segment.execution().isTerminal() && location.range() != Range.PINNED;
        add(segment.stream().stream().namespace(), location, sign, isLocked);
        if (recount != null) {
            recount.note(segment, location, sign);
        }
    }

    void add(String namespace, Location location, int sign, boolean isLocked) {
        long[] counts = counts(namespace);
        counts[EVENTS + location.range().ordinalOfEvents()] += sign;
        counts[BYTES] += sign * location.sizeBytes();
        counts[LOCKED + location.range().ordinalOfEvents()] += isLocked ? sign : 0;
    }

    /** Adds (1) or subtracts (-1) all events of an execution. */
    public void add(Segment segment, int sign) {
        long[] counts = counts(segment.stream().stream().namespace());
        for (Range range : Range.OF_EVENTS) {
            counts[EVENTS + range.ordinalOfEvents()] += sign * segment.count(range);
            counts[LOCKED + range.ordinalOfEvents()] += sign * segment.lockedEvents(range);
        }
        counts[BYTES] += sign * segment.totalBytes();
        if (recount != null) {
            recount.note(segment, sign);
        }
    }

    /** Attaches a recount, which receives every change from now on; null detaches it. */
    void attach(@Nullable Watcher newRecount) {
        recount = newRecount;
    }

    /** Returns true if this recount receives every change. */
    boolean isAttached(Watcher other) {
        return recount == other;
    }

    /** Returns the names of all namespaces that hold something; a copy. */
    List<String> names() {
        return List.copyOf(byNamespace.keySet());
    }

    /**
     * Replaces the figures of the namespace by the counted ones.
     *
     * @return both sets of figures, for people; null if they are equal
     */
    @Nullable
    String mend(String namespace, NamespaceCounts counted) {
        long[] found = counted.byNamespace.get(namespace);
        long[] kept = byNamespace.get(namespace);
        if (Arrays.equals(found, kept)) {
            return null;
        }
        changed.add(namespace);
        unsaved.add(namespace);
        if (found == null) {
            byNamespace.remove(namespace);
        } else {
            byNamespace.put(namespace, found.clone());
        }
        return "namespace " + namespace + ": recorded " + describe(kept) + ", found " + describe(found);
    }

    private static String describe(long @Nullable [] counts) {
        NamespaceTotals totals = counts == null ? NamespaceTotals.NOTHING : totals(counts);
        return String.format(
                Locale.ROOT,
                "%d streams with %d events (%d bytes), of them %d protected, %d infinite, %d with an own TTL",
                totals.streams(),
                totals.events(),
                totals.bytes(),
                totals.protectedEvents(),
                totals.infiniteEvents(),
                totals.timedEvents());
    }

    /**
     * Returns a snapshot, the same object as long as nothing changes; its cost grows with the changes since the last
     * one.
     */
    public SharingMap<String, NamespaceTotals> snapshot() {
        if (!changed.isEmpty()) {
            Map<String, @Nullable NamespaceTotals> changes = new HashMap<>();
            for (String namespace : changed) {
                long[] counts = byNamespace.get(namespace);
                changes.put(namespace, counts == null ? null : totals(counts));
            }
            snapshot = snapshot.with(changes);
            changed.clear();
            lastChanged = null;
        }
        return snapshot;
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

    /** Returns the number of events in the range that no execution protects. */
    private static long free(long[] counts, Range range) {
        return counts[EVENTS + range.ordinalOfEvents()] - counts[LOCKED + range.ordinalOfEvents()];
    }

    /** Returns the counts of the namespace for the caller to change. */
    private long[] counts(String namespace) {
        if (!namespace.equals(lastChanged)) {
            changed.add(namespace);
            unsaved.add(namespace);
            lastChanged = namespace;
        }
        return byNamespace.computeIfAbsent(namespace, name -> new long[FIELDS]);
    }
}
