package dev.ebb.topology.gate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Changes that the brake holds back, in the order of arrival: stored, and in memory, since the gate looks at them after
 * each record. Thousands may wait for assessment, so no work on one change goes through all of them. Not thread-safe.
 */
final class HeldChanges {

    private final GateStore store;
    private final NavigableMap<Long, HeldBack> held = new TreeMap<>();
    private final NavigableMap<Long, HeldBack> queued = new TreeMap<>();
    private final NavigableMap<Long, HeldBack> counted = new TreeMap<>();

    /** Versions of the changes that have a record with that key. */
    private final Map<String, Set<Long>> byKey = new HashMap<>();

    private long queuedBytes;
    private long namingBytes;
    private boolean isRead;

    HeldChanges(GateStore store) {
        this.store = store;
    }

    /** Returns all changes; a live view. */
    Collection<HeldBack> all() {
        read();
        return held.values();
    }

    /** Returns the number of changes. */
    int size() {
        return all().size();
    }

    /** Returns the first change after that version whose number of deletes is not known; null if there is none. */
    @Nullable
    HeldBack queuedAfter(long version) {
        read();
        var next = queued.higherEntry(version);
        return next == null ? null : next.getValue();
    }

    /** Returns the size of the changes whose number of deletes is not known, in bytes. */
    long queuedBytes() {
        read();
        return queuedBytes;
    }

    /** Returns the number of bytes that name the changes that wait for a confirmation in a mark. */
    long namingBytes() {
        read();
        return namingBytes;
    }

    Optional<HeldBack> find(long version) {
        read();
        return Optional.ofNullable(held.get(version));
    }

    void add(HeldBack change) {
        read();
        note(change);
        store.holdBack(change);
    }

    /** Returns the changes that wait for a confirmation; a live view. */
    Collection<HeldBack> counted() {
        read();
        return counted.values();
    }

    /** Replaces the change by one that differs only in what is known of the number of its deletes. */
    void found(HeldBack change) {
        forget(change.version());
        note(change);
        store.holdBackStill(change);
    }

    void remove(HeldBack change) {
        read();
        forget(change.version());
        store.letGo(change);
    }

    /**
     * Takes out the records with these keys; the rest of a file becomes another change, which is assessed again.
     *
     * @return the changes that are now different
     */
    List<HeldBack> takeOut(Set<String> keys) {
        read();
        Set<Long> versions = new TreeSet<>();
        keys.forEach(key -> versions.addAll(byKey.getOrDefault(key, Set.of())));
        List<HeldBack> changed = new ArrayList<>();
        for (Long version : versions) {
            HeldBack waiting = held.get(version);
            if (waiting != null) {
                changed.add(waiting);
                takeOut(waiting, keys);
            }
        }
        return changed;
    }

    private void takeOut(HeldBack waiting, Set<String> keys) {
        List<GateRecord> left = waiting.records().stream()
                .filter(record -> !keys.contains(record.key()))
                .toList();
        remove(waiting);
        if (!left.isEmpty()) {
            add(waiting.without(left));
        }
    }

    /** Reads the changes when they are first asked for: the store is not full before. */
    private void read() {
        if (!isRead) {
            isRead = true;
            store.heldBack().forEach(this::note);
        }
    }

    private void note(HeldBack change) {
        held.put(change.version(), change);
        for (GateRecord record : change.records()) {
            byKey.computeIfAbsent(record.key(), key -> new TreeSet<>()).add(change.version());
        }
        (change.isQueued() ? queued : counted).put(change.version(), change);
        count(change, 1);
    }

    private void forget(long version) {
        HeldBack change = held.remove(version);
        if (change == null) {
            return;
        }
        queued.remove(version);
        counted.remove(version);
        for (GateRecord record : change.records()) {
            byKey.computeIfPresent(record.key(), (key, versions) -> {
                versions.remove(version);
                return versions.isEmpty() ? null : versions;
            });
        }
        count(change, -1);
    }

    private void count(HeldBack change, int sign) {
        // A change that is counted again must still be named among those that wait for a confirmation.
        if (change.finding() == null) {
            queuedBytes += sign * ChangeSize.storedBytes(change);
        } else {
            namingBytes += sign * ChangeSize.markBytes(change);
        }
    }
}
