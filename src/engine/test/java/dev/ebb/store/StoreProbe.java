package dev.ebb.store;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.NamespaceTotals;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.Retired;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.layout.UsageKeys;
import dev.ebb.store.state.Heads;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StateCodec;
import dev.ebb.store.state.StreamState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Holds single streams of a live {@link EventStore} against every key that is theirs, at any moment: what the task has in
 * memory, and not what it has saved, must agree with the keys (I-3, A-3, A-4). Stateless.
 */
public final class StoreProbe {

    private StoreProbe() {}

    /** All streams by number; looking at them leaves those in memory that are in memory. */
    public static List<StreamState> streams(EventStore store) {
        List<StreamState> all = new ArrayList<>();
        store.names(null).forEachRemaining(name -> all.add(Objects.requireNonNull(store.glance(name))));
        all.sort(Comparator.comparingInt(StreamState::sid));
        return all;
    }

    /** The number of the stream whose event has that key; -1 if it is the key of something else. */
    public static int sidOf(Bytes key) {
        Range range = Range.ofCode(key.get()[0]);
        return range != null && range.holdsEvents() ? EventKeys.sidOf(key.get()) : -1;
    }

    /** Returns true for the key of a record that waits. */
    public static boolean isParked(Bytes key) {
        return key.get()[0] == Range.PARKED.code();
    }

    /** Deleted stream that a write to the usage store tells of; null if it tells of something else. */
    public static @Nullable Retired retired(Bytes key, byte @Nullable [] value) {
        boolean isOne = !UsageKeys.isStream(key) && UsageKeys.kindOf(key) == UsageKeys.RETIRED;
        return isOne && value != null ? Retired.decode(value) : null;
    }

    /** The number of a deleted stream of which the usage store says something under that key; -1 if it is another record. */
    public static int sidOfRetired(Bytes key) {
        boolean isOne = !UsageKeys.isStream(key) && UsageKeys.kindOf(key) == UsageKeys.RETIRED;
        return isOne ? java.nio.ByteBuffer.wrap(key.get()).getInt(1) : -1;
    }

    /** Returns true for the key of a deleted stream in the order of deletion. */
    public static boolean isGrave(Bytes key) {
        return UsageKeys.kindOf(key) == UsageKeys.GRAVE_AT;
    }

    /** Of which stream. */
    public static String nameOfGrave(Bytes key) {
        return UsageKeys.nameOfTimed(key);
    }

    /** And when that was. */
    public static long timeOfGrave(Bytes key) {
        return UsageKeys.timeOfGraveAt(key);
    }

    /** The name of the pending work whose note has that key; null if it is another record. */
    public static @Nullable String pendingOf(Bytes key) {
        boolean isOne = !UsageKeys.isStream(key) && UsageKeys.kindOf(key) == UsageKeys.PENDING;
        return isOne ? new String(key.get(), 1, key.get().length - 1, StandardCharsets.UTF_8) : null;
    }

    /** The number of the stream whose record, or that of an execution of it, has that key in the usage store; -1 if none. */
    public static int sidOfExecution(Bytes key) {
        boolean isOne = !UsageKeys.isStream(key) && UsageKeys.kindOf(key) == UsageKeys.EXECUTION;
        return isOne ? UsageKeys.sidOfExecution(key) : -1;
    }

    /** The stream whose record has that key in the usage store; null if it is another record. */
    public static @Nullable StreamName streamOf(Bytes key) {
        return UsageKeys.isStream(key) ? UsageKeys.streamOf(key) : null;
    }

    /** Contents of the namespaces by the events themselves, and by nothing that is kept as they come and go (I-3). */
    public static Map<String, NamespaceTotals> recount(
            Iterable<StreamState> streams, NavigableMap<Bytes, byte[]> entries) {
        Map<String, NamespaceTotals> totals = new TreeMap<>();
        for (StreamState stream : streams) {
            NamespaceTotals held = new NamespaceTotals(1, 0, 0, 0, 0, 0);
            for (Range range : Range.OF_EVENTS) {
                for (byte[] value : within(entries, range, stream.sid()).values()) {
                    held = held.plus(totals(stream, range, StoredEventCodec.decodeHeader(value)));
                }
            }
            totals.merge(stream.stream().namespace(), held, NamespaceTotals::plus);
        }
        return totals;
    }

    private static NamespaceTotals totals(StreamState stream, Range range, EventHeader event) {
        Segment segment = stream.segment(event.execution());
        boolean isProtected = range == Range.PINNED
                || (segment != null && !segment.execution().isTerminal());
        return new NamespaceTotals(
                0,
                1,
                event.sizeBytes(),
                isProtected ? 1 : 0,
                !isProtected && range == Range.INFINITE ? 1 : 0,
                !isProtected && range == Range.TIMED ? 1 : 0);
    }

    public static int sid(StreamState stream) {
        return stream.sid();
    }

    /** All that is declared of the stream's executions. */
    public static List<Execution> declared(StreamState stream) {
        List<Execution> declared = new ArrayList<>();
        for (Segment segment : stream.segments()) {
            if (segment.execution().isDeclared()) {
                declared.add(segment.execution());
            }
        }
        return declared;
    }

    /**
     * Returns true if the usage store says of the stream what the task has in memory, but for its completion, which is
     * found out when it is asked for.
     */
    public static boolean isSaved(StreamState stream, NavigableMap<Bytes, byte[]> usage) {
        byte[] told = usage.get(UsageKeys.stream(stream.stream()));
        if (told == null || !(Arrays.equals(told, StateCodec.encode(stream)) || isSameButForCompletion(stream, told))) {
            return false;
        }
        for (Segment segment : stream.segments()) {
            if (segment.number() > 0) {
                if (!Arrays.equals(
                        usage.get(UsageKeys.execution(stream.sid(), segment.number())), StateCodec.encode(segment))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The key of the stream's record in the usage store. */
    public static Bytes recordOf(String stream) {
        return UsageKeys.stream(new StreamName(stream));
    }

    /** The names of all streams that the usage store has a record of. */
    public static List<String> records(NavigableMap<Bytes, byte[]> usage) {
        List<String> names = new ArrayList<>();
        usage.tailMap(UsageKeys.FIRST_STREAM, true)
                .keySet()
                .forEach(key -> names.add(UsageKeys.streamOf(key).value()));
        return names;
    }

    private static boolean isSameButForCompletion(StreamState stream, byte[] told) {
        StreamState saved = StateCodec.decode(stream.stream(), stream.policy(), told);
        if (saved.executions() != null) {
            saved.setExecutions(stream.executions());
        }
        saved.completion().found(stream.completion().ms());
        if (stream.completion().isStale()) {
            saved.completion().doubt();
        }
        return Arrays.equals(StateCodec.encode(saved), StateCodec.encode(stream));
    }

    /**
     * The events of the stream.
     *
     * @param problems takes what does not agree
     */
    public static List<StoredEvent> check(
            StreamState stream, NavigableMap<Bytes, byte[]> entries, List<String> problems) {
        List<StoredEvent> found = new ArrayList<>();
        int due = 0;
        for (Range range : Range.OF_EVENTS) {
            long count = 0;
            long bytes = 0;
            for (var entry : within(entries, range, stream.sid()).entrySet()) {
                StoredEvent event = StoredEventCodec.decode(stream.stream(), entry.getValue());
                found.add(event);
                count++;
                bytes += event.sizeBytes();
                Location location = checkEvent(stream, range, entry.getKey(), event, entries, problems);
                due += location != null && location.dueMs() != Location.NO_DUE ? 1 : 0;
            }
            if (count != stream.count(range) || bytes != stream.bytes(range)) {
                problems.add(stream + " " + range + ": usage says " + stream.count(range) + " events, "
                        + stream.bytes(range) + " bytes, there are " + count + ", " + bytes);
            }
        }
        checkNumber(stream, Range.IDS, found.size(), entries, problems);
        checkNumber(stream, Range.DUE, due, entries, problems);
        checkSegments(stream, problems);
        return found;
    }

    /** Returns true if keys of that number are left. */
    public static boolean isLeft(int sid, NavigableMap<Bytes, byte[]> entries) {
        for (Range range : List.of(Range.ORDERED, Range.TIMED, Range.INFINITE, Range.PINNED, Range.IDS, Range.DUE)) {
            if (!within(entries, range, sid).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private static NavigableMap<Bytes, byte[]> within(NavigableMap<Bytes, byte[]> entries, Range range, int sid) {
        return entries.subMap(EventKeys.start(range, sid), true, EventKeys.end(range, sid), false);
    }

    private static void checkNumber(
            StreamState stream, Range range, int expected, NavigableMap<Bytes, byte[]> entries, List<String> problems) {
        int number = within(entries, range, stream.sid()).size();
        if (number != expected) {
            problems.add(stream + " has " + number + " keys in " + range + ", needs " + expected);
        }
    }

    private static void checkSegments(StreamState stream, List<String> problems) {
        if (stream.isEmpty()) {
            problems.add(stream + " is empty");
        }
        for (Segment segment : stream.segments()) {
            if (segment.number() > 0 && !segment.isKnown()) {
                problems.add(segment + " is empty");
            }
        }
    }

    private static @Nullable Location checkEvent(
            StreamState stream,
            Range range,
            Bytes key,
            StoredEvent event,
            NavigableMap<Bytes, byte[]> entries,
            List<String> problems) {
        String id = event.event().id().value();
        byte[] lookup = entries.get(EventKeys.byId(Range.IDS, stream.sid(), id));
        if (lookup == null) {
            problems.add(stream + " " + id + " is missing in the id index");
            return null;
        }
        Location location = Location.decode(lookup);
        if (!location.key(stream.sid(), id).equals(key)) {
            problems.add(stream + " " + id + " lies in " + range + ", its id says " + location);
        }
        if (event.sizeBytes() != location.sizeBytes()) {
            problems.add(stream + " " + id + " has " + event.sizeBytes() + " bytes, counted " + location);
        }
        if (range == Range.PINNED
                && !entries.containsKey(EventKeys.waiting(location.position().anchorMs(), stream.sid(), id))) {
            problems.add(stream + " " + id + " is missing among those that wait");
        }
        if (location.dueMs() != Location.NO_DUE
                && !entries.containsKey(EventKeys.due(stream.sid(), location.dueMs(), location.position()))) {
            problems.add(stream + " " + id + " is missing among the deadlines");
        }
        Segment segment = stream.segment(event.event().execution());
        if (segment == null) {
            problems.add(stream + " " + id + " is of an execution that is not known");
        } else if (isBelowHeads(segment, location)) {
            problems.add(stream + " " + id + " lies below its heads: " + location);
        }
        return location;
    }

    static boolean isBelowHeads(Segment segment, Location location) {
        boolean isBelowMoved = segment.movedHeads() != null && !isBelow(segment.movedHeads(), location);
        return isBelow(segment.heads(), location) && !isBelowMoved;
    }

    private static boolean isBelow(Heads heads, Location location) {
        if (!location.range().isPositional()) {
            return false;
        }
        Position head = heads.of(location.range());
        return head == null || location.position().compareTo(head) < 0 || location.dueMs() < heads.dueMs();
    }
}
