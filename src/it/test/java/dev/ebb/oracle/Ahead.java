package dev.ebb.oracle;

import dev.ebb.oracle.World.Change;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The rows of a partition that are still to be played. A row of a new event waits for the commit of its transaction, or for
 * the next change of its event, so it comes behind tombstones and other rows that were sent after it.
 */
final class Ahead {

    /** Longest time that a row may wait: a transaction is aborted then. */
    static final long WAITING_MS = 20_000;

    private record Source(String stream, String id, long timestampMs) {}

    private final Map<String, Deque<Change>> newRows = new HashMap<>();
    private final Map<Source, Deque<Change>> bySource = new HashMap<>();
    private final Set<Change> played = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<Change, Long> clock = new IdentityHashMap<>();

    /** @param isOfEvent says if it is known which event a row is of */
    Ahead(List<Change> changes, Predicate<Change> isOfEvent, long readAtMs) {
        Set<Change> isNew = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Row.Key> seen = new HashSet<>();
        for (Change change : changes) {
            if (change.row() != null) {
                if (!isOfEvent.test(change)) {
                    bySource.computeIfAbsent(source(change), any -> new ArrayDeque<>())
                            .add(change);
                }
                if (seen.add(change.key())) {
                    isNew.add(change);
                    newRows.computeIfAbsent(change.key().stream(), any -> new ArrayDeque<>())
                            .add(change);
                }
            }
        }
        newRows.replaceAll((stream, rows) -> byStoredAt(rows));
        setClock(changes, isNew, readAtMs);
    }

    private static Deque<Change> byStoredAt(Deque<Change> rows) {
        return rows.stream()
                .sorted(Comparator.comparingLong(row -> row.key().storedAt()))
                .collect(Collectors.toCollection(ArrayDeque::new));
    }

    /** For each change a moment at which it had been made, as exact as the order of all of them tells. */
    private void setClock(List<Change> changes, Set<Change> isNew, long readAtMs) {
        long latest = readAtMs;
        for (int i = changes.size() - 1; i >= 0; i--) {
            Change change = changes.get(i);
            if (change.row() == null) {
                latest = change.timestampMs();
                clock.put(change, latest);
            } else if (isNew.contains(change)) {
                clock.put(change, Math.min(latest, change.key().storedAt()));
                latest = Math.min(latest, change.key().storedAt() + WAITING_MS);
            } else {
                clock.put(change, latest);
            }
        }
    }

    private static Source source(Change change) {
        return new Source(change.key().stream(), change.key().id(), change.timestampMs());
    }

    long clockMs(Change change) {
        return clock.get(change);
    }

    boolean isPlayed(Change change) {
        return played.contains(change);
    }

    void play(Change change) {
        played.add(change);
    }

    /** The first row to come that an update may have made; null if there is none. */
    Change rowOf(String stream, String id, long timestampMs) {
        Deque<Change> rows = bySource.get(new Source(stream, id, timestampMs));
        return rows == null ? null : next(rows);
    }

    /** The first row to come of an event that was stored by then; null if there is none. */
    Change newRow(String stream, long untilMs) {
        Deque<Change> rows = newRows.get(stream);
        Change next = rows == null ? null : next(rows);
        return next == null || next.key().storedAt() > untilMs ? null : next;
    }

    private Change next(Deque<Change> rows) {
        while (!rows.isEmpty() && played.contains(rows.peekFirst())) {
            rows.removeFirst();
        }
        return rows.peekFirst();
    }
}
