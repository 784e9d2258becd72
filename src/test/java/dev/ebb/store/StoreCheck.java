package dev.ebb.store;

import dev.ebb.domain.event.StreamName;
import dev.ebb.model.Policies;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/** Holds every key of the two stores against all others: nothing is missing, nothing is left over (I-3, A-4). */
public final class StoreCheck {

    private final TreeMap<Bytes, byte[]> events = new TreeMap<>();
    private final Map<Integer, StreamState> streams = new HashMap<>();
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
        check.events.keySet().stream()
                .filter(key -> !check.expected.contains(key))
                .forEach(key -> check.problems.add("left over: " + key));
        return check.problems;
    }

    private void remember(KeyValue<Bytes, byte[]> entry) {
        if (entry.key.equals(TaskRecord.KEY)) {
            rememberParked(TaskRecord.decode(entry.value));
            return;
        }
        StreamName name = new StreamName(new String(entry.key.get(), StandardCharsets.UTF_8));
        StreamState state = StreamState.decode(name, Policies.setOf().effective(name), entry.value);
        if (streams.put(state.sid, state) != null) {
            problems.add("number " + state.sid + " is used twice");
        }
    }

    private void rememberParked(TaskRecord task) {
        for (long arrival = task.parkedHead(); arrival < task.parkedNext(); arrival++) {
            expect(EventKeys.parked(arrival), "parked record " + arrival);
        }
    }

    private void checkStream(StreamState state) {
        if (state.totalEvents() == 0) {
            problems.add(state + " is empty");
        }
        for (Range range : Range.values()) {
            if ((state.sentinels & 1 << range.ordinal()) != 0) {
                expect(EventKeys.sentinel(range, state.sid), "sentinel of " + range);
                expect(EventKeys.backstop(range, state.sid), "backstop of " + range);
            }
        }
        for (Range range : Range.OF_EVENTS) {
            checkRange(state, range);
        }
    }

    private void checkRange(StreamState state, Range range) {
        long count = 0;
        long bytes = 0;
        var keys = events.subMap(EventKeys.start(range, state.sid), true, EventKeys.sentinel(range, state.sid), false);
        for (var entry : keys.entrySet()) {
            count++;
            bytes += checkEvent(state, range, entry.getKey(), entry.getValue());
        }
        if (count > 0 && !events.containsKey(EventKeys.sentinel(range, state.sid))) {
            problems.add(state + " has no sentinel in " + range);
        }
        String recount = count + " events, " + bytes + " bytes";
        String usage = state.count(range) + " events, " + state.bytes[range.ordinalOfEvents()] + " bytes";
        if (!recount.equals(usage)) {
            problems.add(state + " " + range + ": usage says " + usage + ", there are " + recount);
        }
    }

    private long checkEvent(StreamState state, Range range, Bytes key, byte[] value) {
        EventHeader header = StoredEventCodec.decodeHeader(value);
        Bytes idKey = EventKeys.byId(Range.IDS, state.sid, header.id());
        expected.add(key);
        expect(idKey, "id of " + header.id());
        if (!events.containsKey(idKey)) {
            return header.sizeBytes();
        }
        Location location = Location.decode(events.get(idKey));
        if (!location.key(state.sid, header.id()).equals(key)) {
            problems.add(state + " " + header.id() + " lies in " + range + ", its id says " + location);
        }
        long size = StoredEventCodec.decode(state.stream(), value).event().sizeBytes();
        if (size != header.sizeBytes() || size != location.sizeBytes()) {
            problems.add(header.id() + " has " + size + " bytes, counted " + header.sizeBytes() + ", " + location);
        }
        if (location.hasDue()) {
            expect(EventKeys.due(state.sid, location.dueMs(), location.position()), "deadline of " + header.id());
        }
        checkHeads(state, location);
        return header.sizeBytes();
    }

    private void checkHeads(StreamState state, Location location) {
        boolean isBelowMoved = state.move != null && !isBelow(state.move.heads(), location);
        if (isBelow(state.heads, location) && !isBelowMoved) {
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
