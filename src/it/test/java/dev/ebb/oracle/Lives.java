package dev.ebb.oracle;

import dev.ebb.oracle.Ends.End;
import dev.ebb.oracle.World.Change;
import dev.ebb.oracle.World.Input;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The lives of the events of one stream: which record began each of them, which rows it had, and which delete of the audit
 * ended it. A life without a row began with a record and ended before anything else happened to it, within a transaction.
 *
 * <p>Records of one id may be alike in everything, and so may their deletes. So the lives of an id are counted from the
 * beginning: each of its events begins one or changes the one that goes on, each delete ends one, and each tombstone says
 * that the one that ended had a row.
 */
final class Lives {

    /** The rows of one life, and their tombstone; none if it goes on. */
    private static final class Rows {
        private final List<Change> rows = new ArrayList<>();
        private Change tombstone;

        private long storedAt() {
            return rows.get(0).key().storedAt();
        }
    }

    /**
     * One life.
     *
     * @param rows null if it had none
     * @param end null if it goes on, or if the audit says nothing of its end
     */
    private record Life(Rows rows, End end) {

        /** Returns true if it had ended, or at least begun, when that one began. */
        private boolean isBefore(Rows other) {
            return rows != null ? rows.storedAt() <= other.storedAt() : end.atMs() <= other.storedAt();
        }
    }

    private final Map<Change, Input> sources = new IdentityHashMap<>();
    private final Map<Input, Change> rows = new IdentityHashMap<>();
    private final Map<Input, End> unseen = new IdentityHashMap<>();
    private final Map<End, Input> beginnings = new IdentityHashMap<>();
    private final Map<Change, End> ends = new IdentityHashMap<>();
    private final Map<Input, End> formers = new IdentityHashMap<>();

    /**
     * @param changes the changes of the stream in the mirror
     * @param ways its records, by the way that they came
     * @param ends its deletes as the audit tells them
     */
    Lives(List<Change> changes, Collection<Deque<Input>> ways, List<End> ends) {
        Map<String, List<Change>> changesOf = new LinkedHashMap<>();
        changes.forEach(change -> changesOf
                .computeIfAbsent(change.key().id(), any -> new ArrayList<>())
                .add(change));
        Map<String, List<End>> endsOf = new HashMap<>();
        for (End end : ends) {
            endsOf.computeIfAbsent(end.id(), any -> new ArrayList<>()).add(end);
            changesOf.computeIfAbsent(end.id(), any -> new ArrayList<>());
        }
        Map<String, List<Deque<Input>>> eventsOf = eventsOf(ways);
        changesOf.forEach((id, ofId) -> {
            List<Rows> all = rowsOf(ofId);
            List<Deque<Input>> events = eventsOf.getOrDefault(id, List.of());
            begin(lives(all, endsOf.getOrDefault(id, List.of())), all.size(), events);
        });
    }

    private static Map<String, List<Deque<Input>>> eventsOf(Collection<Deque<Input>> ways) {
        Map<String, List<Deque<Input>>> eventsOf = new HashMap<>();
        for (Deque<Input> way : ways) {
            Map<String, Deque<Input>> events = new LinkedHashMap<>();
            way.stream()
                    .filter(input -> Intake.kind(input).equals(Intake.EVENT))
                    .forEach(input -> events.computeIfAbsent(Intake.id(input), any -> new ArrayDeque<>())
                            .add(input));
            events.forEach((id, ofId) ->
                    eventsOf.computeIfAbsent(id, any -> new ArrayList<>()).add(ofId));
        }
        return eventsOf;
    }

    /** The lives that had rows, in the order of their tombstones; those that go on are the last. */
    private static List<Rows> rowsOf(List<Change> changes) {
        List<Rows> all = new ArrayList<>();
        Map<Row.Key, Rows> open = new LinkedHashMap<>();
        for (Change change : changes) {
            if (change.row() != null) {
                open.computeIfAbsent(change.key(), any -> new Rows()).rows.add(change);
            } else if (open.containsKey(change.key())) {
                Rows ended = open.remove(change.key());
                ended.tombstone = change;
                all.add(ended);
            }
        }
        all.addAll(open.values());
        return all;
    }

    /** Lives in the order in which they began: that of their ends, but for those that ended with their stream. */
    private List<Life> lives(List<Rows> all, List<End> endsOfId) {
        Map<End, Rows> byEnd = new IdentityHashMap<>();
        List<Life> apart = new ArrayList<>();
        for (Rows one : all) {
            End end = one.tombstone == null ? null : endOf(one.tombstone, endsOfId, byEnd);
            if (end != null) {
                byEnd.put(end, one);
                ends.put(one.tombstone, end);
            }
            if (end == null || end.isByCommand()) {
                apart.add(new Life(one, end));
            }
        }
        List<Life> lives = new ArrayList<>();
        for (End end : endsOfId) {
            Rows ended = byEnd.get(end);
            if (ended == null || !end.isByCommand()) {
                lives.add(new Life(ended, end));
            }
        }
        for (Life life : apart) {
            int place = 0;
            while (place < lives.size() && (life.end == null || lives.get(place).isBefore(life.rows))) {
                place++;
            }
            lives.add(place, life);
        }
        return lives;
    }

    private static End endOf(Change tombstone, List<End> ends, Map<End, Rows> known) {
        List<End> fitting = ends.stream()
                .filter(end -> !known.containsKey(end) && end.reason().equals(tombstone.reason()))
                .toList();
        return fitting.stream()
                .filter(end -> end.atMs() == tombstone.timestampMs())
                .findFirst()
                .orElse(fitting.isEmpty() ? null : fitting.get(0));
    }

    /** Finds the record that began each life, and those that changed it. */
    private void begin(List<Life> lives, int withRows, List<Deque<Input>> events) {
        int left = events.stream().mapToInt(Deque::size).sum() - withRows;
        End former = null;
        for (Life life : lives) {
            if (life.rows != null) {
                beginWithRows(life, former, events);
            } else if (left > 0) {
                left--;
                beginUnseen(life.end, former, events);
            }
            former = life.end;
        }
    }

    private void beginUnseen(End end, End former, List<Deque<Input>> events) {
        Input input = take(events, any -> former != null && former.isReplacedBy(any));
        if (input == null) {
            input = take(events, any -> true);
        }
        if (input != null) {
            unseen.put(input, end);
            beginnings.put(end, input);
            putFormer(input, former);
        }
    }

    private void beginWithRows(Life life, End former, List<Deque<Input>> events) {
        Row last = null;
        for (Change change : life.rows.rows) {
            Input input = last == null ? first(change, events) : changing(change, last, life.end, events);
            if (input != null) {
                sources.put(change, input);
                rows.put(input, change);
            }
            if (input != null && last == null) {
                putFormer(input, former);
            }
            last = change.row();
        }
    }

    /** The next event with the time of that row, if possible the one that makes it; else one behind the next. */
    private static Input first(Change change, List<Deque<Input>> events) {
        List<Predicate<Input>> wishes =
                List.of(input -> makes(input, null, change), input -> input.timestampMs() == change.timestampMs());
        for (Predicate<Input> wish : wishes) {
            Input next = takeNext(events, wish);
            if (next != null) {
                return next;
            }
        }
        for (Predicate<Input> wish : wishes) {
            Input later = take(events, wish);
            if (later != null) {
                return later;
            }
        }
        return null;
    }

    /** The next event, if it makes that row of the former one, which goes on. */
    private static Input changing(Change change, Row former, End end, List<Deque<Input>> events) {
        return takeNext(events, input -> makes(input, former, change) && (end == null || !end.isReplacedBy(input)));
    }

    private static boolean makes(Input input, Row former, Change change) {
        return input.timestampMs() == change.timestampMs()
                && Expected.ofEvent(input, former, change.key().storedAt())
                        .differs(change.row())
                        .isEmpty();
    }

    private void putFormer(Input input, End former) {
        if (former != null && !former.isByCommand()) {
            formers.put(input, former);
        }
    }

    /** Takes the next record of a way on which that one fits. */
    private static Input takeNext(List<Deque<Input>> events, Predicate<Input> fits) {
        for (Deque<Input> way : events) {
            if (!way.isEmpty() && fits.test(way.peekFirst())) {
                return way.removeFirst();
            }
        }
        return null;
    }

    /** Takes the first record that fits, on any way, and those before it. */
    private static Input take(List<Deque<Input>> events, Predicate<Input> fits) {
        for (Deque<Input> way : events) {
            for (Input input : way) {
                if (fits.test(input)) {
                    for (Input passed = way.removeFirst(); passed != input; ) {
                        passed = way.removeFirst();
                    }
                    return input;
                }
            }
        }
        return null;
    }

    /** The event that the row is of; null if it was made by something else, such as an update. */
    Input sourceOf(Change row) {
        return sources.get(row);
    }

    /** The row that the event has made; null if it has none. */
    Change rowOf(Input event) {
        return rows.get(event);
    }

    /** Returns true if the event came and went without a row. */
    boolean isUnseen(Input event) {
        return unseen.containsKey(event);
    }

    /** The event without a row that ended like this; null if there is none. */
    Input beginningOf(End end) {
        return beginnings.get(end);
    }

    /** The delete that the tombstone is of; null if there is none. */
    End endOf(Change tombstone) {
        return ends.get(tombstone);
    }

    /** The delete that came before the event, which has the id of that one; null if none is known. */
    End formerOf(Input event) {
        return formers.get(event);
    }
}
