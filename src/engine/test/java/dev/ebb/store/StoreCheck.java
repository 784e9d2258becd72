package dev.ebb.store;

import dev.ebb.domain.event.StreamName;
import dev.ebb.model.Policies;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Grave;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.Retired;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.layout.UsageKeys;
import dev.ebb.store.parking.ParkedStream;
import dev.ebb.store.state.Executions;
import dev.ebb.store.state.Heads;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StateCodec;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.trash.TrashBook;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/** Holds every key of the two stores against all others: nothing is missing, nothing is left over (I-3, A-4). */
public final class StoreCheck {

    private final TreeMap<Bytes, byte[]> events = new TreeMap<>();
    private final Map<Integer, StreamState> streams = new HashMap<>();
    private final Map<Integer, Map<Long, byte[]>> executions = new HashMap<>();
    private final Map<Integer, Retired> retired = new HashMap<>();
    private final Map<String, List<Number>> lastRetired = new TreeMap<>();
    private final Map<String, Long> graves = new HashMap<>();
    private final Map<String, Long> gravesInOrder = new HashMap<>();
    private final Map<String, long[]> endsOfGraves = new TreeMap<>();
    private final Map<String, long[]> ends = new TreeMap<>();
    private final Set<Bytes> expected = new HashSet<>();
    private final List<String> problems = new ArrayList<>();

    private StoreCheck(KeyValueIterator<Bytes, byte[]> events, KeyValueIterator<Bytes, byte[]> usage) {
        try (events;
                usage) {
            events.forEachRemaining(entry -> this.events.put(entry.key, entry.value));
            usage.forEachRemaining(this::remember);
        }
    }

    /** Everything that does not agree; empty if all is well. */
    public static List<String> problems(KeyValueIterator<Bytes, byte[]> events, KeyValueIterator<Bytes, byte[]> usage) {
        StoreCheck check = new StoreCheck(events, usage);
        check.streams.values().forEach(check::checkStream);
        check.executions.keySet().forEach(check::checkExecutions);
        check.retired.values().forEach(check::checkRetired);
        check.checkLastRetired();
        if (!check.graves.equals(check.gravesInOrder)) {
            check.problems.add("graves " + check.graves + ", in the order of their end " + check.gravesInOrder);
        }
        check.checkEnds();
        check.events.keySet().stream()
                .filter(key -> !check.expected.contains(key))
                // Plans are kept for two days, whatever becomes of their events.
                .filter(key -> key.get()[0] != Range.PLANNED.code() && key.get()[0] != Range.USAGE.code())
                .forEach(key -> check.problems.add("left over: " + key));
        return check.problems;
    }

    /** Returns true if deleted streams have left something behind that has yet to be taken away. */
    public static boolean hasRetired(KeyValueIterator<Bytes, byte[]> usage) {
        return has(usage, key -> UsageKeys.kindOf(key) == UsageKeys.RETIRED);
    }

    /**
     * Returns true if commands are under way; counts of the trash stay as long as anything can be undone, deletes of
     * erasures for an hour, and the namespaces with TTLs of commands for good.
     */
    public static boolean hasPending(KeyValueIterator<Bytes, byte[]> usage) {
        return has(
                usage,
                key -> UsageKeys.kindOf(key) == UsageKeys.PENDING
                        && !UsageKeys.nameOf(key).startsWith(TrashBook.NAME)
                        && !UsageKeys.nameOf(key).startsWith("erased/")
                        && !UsageKeys.nameOf(key).startsWith("set-ttl-in/")
                        && !UsageKeys.nameOf(key).startsWith("clock/"));
    }

    /** When streams of which names were deleted, as the usage store remembers it. */
    public static Map<String, Long> graves(KeyValueIterator<Bytes, byte[]> usage) {
        Map<String, Long> graves = new TreeMap<>();
        try (usage) {
            usage.forEachRemaining(entry -> {
                if (UsageKeys.kindOf(entry.key) == UsageKeys.GRAVE_AT) {
                    graves.put(UsageKeys.nameOfTimed(entry.key), UsageKeys.timeOfGraveAt(entry.key));
                }
            });
        }
        return graves;
    }

    private static boolean has(KeyValueIterator<Bytes, byte[]> usage, Predicate<Bytes> isMeant) {
        try (usage) {
            while (usage.hasNext()) {
                if (isMeant.test(usage.next().key)) {
                    return true;
                }
            }
            return false;
        }
    }

    private void remember(KeyValue<Bytes, byte[]> entry) {
        if (!UsageKeys.isStream(entry.key)) {
            rememberOther(entry);
            return;
        }
        StreamName name = new StreamName(new String(entry.key.get(), StandardCharsets.UTF_8));
        StreamState state = StateCodec.decode(name, Policies.setOf().effective(name), entry.value);
        if (state.executions() != null) {
            checkTotals(state);
        }
        if (streams.put(state.sid(), state) != null) {
            problems.add("number " + state.sid() + " is used twice");
        }
    }

    private void rememberOther(KeyValue<Bytes, byte[]> entry) {
        if (UsageKeys.kindOf(entry.key) == UsageKeys.EXECUTION) {
            executions
                    .computeIfAbsent(UsageKeys.sidOfExecution(entry.key), sid -> new TreeMap<>())
                    .put(UsageKeys.numberOfExecution(entry.key), entry.value);
        } else if (UsageKeys.kindOf(entry.key) == UsageKeys.RETIRED) {
            Retired stream = Retired.decode(entry.value);
            retired.put(stream.sid(), stream);
        } else if (UsageKeys.kindOf(entry.key) == UsageKeys.RETIRED_AS) {
            ByteBuffer last = ByteBuffer.wrap(entry.value);
            lastRetired.put(UsageKeys.nameOf(entry.key), List.of(last.getInt(), last.getLong()));
        } else if (UsageKeys.kindOf(entry.key) == UsageKeys.PARKED) {
            checkParked(ParkedStream.decode(UsageKeys.nameOfParked(entry.key), entry.value));
        } else if (UsageKeys.kindOf(entry.key) == UsageKeys.GRAVE) {
            Grave grave = Grave.decode(entry.value);
            graves.put(UsageKeys.nameOf(entry.key), grave.deletedAtMs());
            endsOfGraves.put(UsageKeys.nameOf(entry.key), new long[] {grave.ends(), grave.endBytes()});
        } else if (UsageKeys.kindOf(entry.key) == UsageKeys.GRAVE_AT) {
            rememberGrave(UsageKeys.nameOfTimed(entry.key), UsageKeys.timeOfGraveAt(entry.key));
        } else if (UsageKeys.kindOf(entry.key) == UsageKeys.WAITING_END) {
            long[] sum = ends.computeIfAbsent(UsageKeys.nameOfWaitingEnd(entry.key), name -> new long[2]);
            sum[0]++;
            sum[1] += entry.value.length;
        }
    }

    /** Of each name, the last retired stream is known, since a new stream stores later. */
    private void checkLastRetired() {
        Map<String, List<Number>> last = new TreeMap<>();
        new TreeMap<>(retired)
                .values()
                .forEach(stream -> last.put(stream.stream().value(), List.of(stream.sid(), stream.lastStoredAt())));
        if (!last.equals(lastRetired)) {
            problems.add("the last retired streams are " + last + ", known are " + lastRetired);
        }
    }

    /** Each waiting end is counted beside its grave, and none waits without one. */
    private void checkEnds() {
        ends.forEach((name, sum) -> {
            if (!Arrays.equals(sum, endsOfGraves.get(name))) {
                problems.add(name + " has waiting ends " + Arrays.toString(sum) + ", its grave says "
                        + Arrays.toString(endsOfGraves.get(name)));
            }
        });
        endsOfGraves.forEach((name, sum) -> {
            if (sum[0] > 0 && !ends.containsKey(name)) {
                problems.add("the grave of " + name + " counts ends that do not wait");
            }
        });
    }

    /** Executions of which ends wait, by the stream. */
    public static Map<String, Set<Long>> waitingEnds(KeyValueIterator<Bytes, byte[]> usage) {
        Map<String, Set<Long>> waiting = new TreeMap<>();
        try (usage) {
            usage.forEachRemaining(entry -> {
                if (UsageKeys.kindOf(entry.key) == UsageKeys.WAITING_END) {
                    waiting.computeIfAbsent(UsageKeys.nameOfWaitingEnd(entry.key), name -> new TreeSet<>())
                            .add(UsageKeys.executionOfWaitingEnd(entry.key));
                }
            });
        }
        return waiting;
    }

    private void rememberGrave(String name, long deletedMs) {
        if (gravesInOrder.put(name, deletedMs) != null) {
            problems.add("two graves of " + name);
        }
    }

    /** Only a stream, or what is left of a deleted one, has executions. */
    private void checkExecutions(int sid) {
        StreamState state = streams.get(sid);
        if (retired.containsKey(sid) ? state != null : state == null || state.executions() == null) {
            problems.add("executions of number " + sid + " are left over: "
                    + executions.get(sid).keySet());
        }
    }

    /** Remains of a deleted stream are consistent in themselves. */
    private void checkRetired(Retired stream) {
        for (Range range : Range.OF_EVENTS) {
            for (var entry : keysOf(range, stream.sid()).entrySet()) {
                EventHeader header = StoredEventCodec.decodeHeader(entry.getValue());
                expected.add(entry.getKey());
                Bytes idKey = EventKeys.byId(Range.IDS, stream.sid(), header.id());
                expect(idKey, "id of retired " + header.id());
                if (range == Range.PINNED && events.containsKey(idKey)) {
                    long sinceMs = Location.decode(events.get(idKey)).position().anchorMs();
                    expect(EventKeys.waiting(sinceMs, stream.sid(), header.id()), "wait of retired " + header.id());
                }
            }
        }
        expected.addAll(keysOf(Range.DUE, stream.sid()).keySet());
    }

    private Map<Bytes, byte[]> keysOf(Range range, int sid) {
        return events.subMap(EventKeys.start(range, sid), true, EventKeys.end(range, sid), false);
    }

    /** The record of the stream says what its executions, which are read before it, hold together. */
    private void checkTotals(StreamState state) {
        Executions told = state.executions();
        state.setExecutions(new Executions());
        executions.getOrDefault(state.sid(), Map.of()).forEach((number, value) -> state.executions()
                .put(StateCodec.decode(state, number, value)));
        String recount = totals(state.executions());
        String usage = totals(told);
        if (!recount.equals(usage)) {
            problems.add(state + ": its record says " + usage + " of its executions, they say " + recount);
        }
    }

    private static String totals(Executions executions) {
        return Range.OF_EVENTS.stream()
                        .map(range -> executions.totals().count(range) + "/"
                                + executions.totals().bytes(range))
                        .toList()
                + " " + executions.locked() + " " + executions.open();
    }

    /** An entry of the usage says which records wait, and how much they take (I-3). */
    private void checkParked(ParkedStream stream) {
        if (stream.records() < 1) {
            problems.add("no record waits of " + stream.key());
        }
        long bytes = 0;
        for (long record = stream.head(); record < stream.head() + stream.records(); record++) {
            Bytes key = EventKeys.parked(stream.number(), record);
            expect(key, "parked record of " + stream.key());
            bytes += events.getOrDefault(key, new byte[0]).length;
        }
        if (bytes != stream.bytes()) {
            problems.add("the records of " + stream.key() + " have " + bytes + " bytes, not " + stream.bytes());
        }
    }

    private void checkStream(StreamState state) {
        if (state.isEmpty()) {
            problems.add(state + " is empty");
        }
        for (Segment segment : state.segments()) {
            if (segment.number() > 0 && !segment.isKnown()) {
                problems.add(segment + " is empty");
            }
        }
        for (Range range : Range.OF_EVENTS) {
            checkRange(state, range);
        }
    }

    private void checkRange(StreamState state, Range range) {
        long count = 0;
        long bytes = 0;
        for (var entry : keysOf(range, state.sid()).entrySet()) {
            count++;
            bytes += checkEvent(state, range, entry.getKey(), entry.getValue());
        }
        String recount = count + " events, " + bytes + " bytes";
        String usage = state.count(range) + " events, " + state.bytes(range) + " bytes";
        if (!recount.equals(usage)) {
            problems.add(state + " " + range + ": usage says " + usage + ", there are " + recount);
        }
    }

    private long checkEvent(StreamState state, Range range, Bytes key, byte[] value) {
        EventHeader header = StoredEventCodec.decodeHeader(value);
        Bytes idKey = EventKeys.byId(Range.IDS, state.sid(), header.id());
        expected.add(key);
        expect(idKey, "id of " + header.id());
        if (!events.containsKey(idKey)) {
            return header.sizeBytes();
        }
        Location location = Location.decode(events.get(idKey));
        if (!location.key(state.sid(), header.id()).equals(key)) {
            problems.add(state + " " + header.id() + " lies in " + range + ", its id says " + location);
        }
        long size = StoredEventCodec.decode(state.stream(), value).event().sizeBytes();
        if (size != header.sizeBytes() || size != location.sizeBytes()) {
            problems.add(header.id() + " has " + size + " bytes, counted " + header.sizeBytes() + ", " + location);
        }
        if (range == Range.PINNED) {
            expect(
                    EventKeys.waiting(location.position().anchorMs(), state.sid(), header.id()),
                    "wait of " + header.id());
        }
        if (location.dueMs() != Location.NO_DUE) {
            expect(EventKeys.due(state.sid(), location.dueMs(), location.position()), "deadline of " + header.id());
        }
        checkHeads(state, state.segment(header.execution()), location);
        return header.sizeBytes();
    }

    private void checkHeads(StreamState state, Segment segment, Location location) {
        if (segment == null) {
            problems.add(state + " has an event of an execution that it does not know: " + location);
            return;
        }
        boolean isBelowMoved = segment.movedHeads() != null && !isBelow(segment.movedHeads(), location);
        if (isBelow(segment.heads(), location) && !isBelowMoved) {
            problems.add(state + " has an event below its heads: " + location);
        }
    }

    private static boolean isBelow(Heads heads, Location location) {
        if (!location.range().isPositional()) {
            return false;
        }
        Position head = heads.of(location.range());
        return head == null || location.position().compareTo(head) < 0 || location.dueMs() < heads.dueMs();
    }

    private void expect(Bytes key, String what) {
        expected.add(key);
        if (!events.containsKey(key)) {
            problems.add("missing: " + what);
        }
    }
}
