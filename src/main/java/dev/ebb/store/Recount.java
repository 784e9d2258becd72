package dev.ebb.store;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.Passage.Outcome;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Counts the events of a stream anew, in slices, while others come and go: what the pass has passed is counted, and what
 * changes behind it is counted as it changes. An event that is not found under its id is written again, from which its index
 * entries follow. Not thread-safe.
 */
final class Recount implements StreamPass {

    private final StreamState stream;
    private final Map<Long, Count> counts = new HashMap<>();
    private Passage passage = newPassage();
    private long mendedIds;

    Recount(StreamState stream) {
        this.stream = stream;
    }

    private static Passage newPassage() {
        return Passage.oneByOne(List.of(Range.OF_EVENTS));
    }

    /** The stream that is counted. */
    StreamState stream() {
        return stream;
    }

    @Override
    public void note(Segment segment, EventHeader event, Location location, int sign) {
        if (passage.isBehind(stream.sid, location, event.id())) {
            count(segment.number).add(location, sign);
        }
        passage.note(stream.sid, location, event.id(), sign);
    }

    @Override
    public void rearranged() {
        passage = newPassage();
        counts.clear();
    }

    /** Goes on counting; returns whether all is counted, false if the budget ended it. */
    boolean slice(KeyValueStore<Bytes, byte[]> events, SweepBudget budget) {
        return passage.slice(events, Extent.ofSid(stream.sid), budget, (range, key, value) -> {
            EventHeader event = StoredEventCodec.decodeHeader(value);
            Location location = Location.of(range, key.get(), StoredEventCodec.decodeIdentity(value), value);
            count(event.execution()).add(location, 1);
            mendId(events, event.id(), location, key, value);
            budget.spendDelete();
            return Outcome.STAYS;
        });
    }

    private void mendId(KeyValueStore<Bytes, byte[]> events, String id, Location location, Bytes key, byte[] value) {
        byte[] known = events.get(EventKeys.byId(Range.IDS, stream.sid, id));
        if (known == null || !Location.decode(known).equals(location)) {
            events.put(key, value);
            mendedIds++;
        }
    }

    private Count count(long execution) {
        return counts.computeIfAbsent(execution, number -> new Count());
    }

    /** The numbers of the executions that have events. */
    Iterable<Long> executions() {
        return List.copyOf(counts.keySet());
    }

    /** Events that were not to be found under their ids. */
    long mendedIds() {
        return mendedIds;
    }

    /** Puts what was counted in the place of what the segment says; returns what that was, or null if it was the same. */
    @Nullable
    String mend(Segment segment) {
        Count found = counts.getOrDefault(segment.number, new Count());
        String before = text(segment.events, segment.bytes);
        boolean isSame = Arrays.equals(found.events, segment.events)
                && Arrays.equals(found.bytes, segment.bytes)
                && found.wishes == segment.wishes;
        System.arraycopy(found.events, 0, segment.events, 0, found.events.length);
        System.arraycopy(found.bytes, 0, segment.bytes, 0, found.bytes.length);
        segment.wishes = found.wishes;
        segment.heads = found.heads;
        segment.isGuarded = false;
        return isSame
                ? null
                : "execution " + segment.number + " said " + before + ", there are " + text(found.events, found.bytes);
    }

    private static String text(long[] events, long[] bytes) {
        return Arrays.stream(events).sum() + " events of "
                + Arrays.stream(bytes).sum() + " bytes";
    }

    /** What one execution holds, and where it begins. */
    private static final class Count {

        private final long[] events = new long[Range.OF_EVENTS.length];
        private final long[] bytes = new long[Range.OF_EVENTS.length];
        private final Heads heads = new Heads();
        private long wishes;

        void add(Location location, int sign) {
            int index = location.range().ordinalOfEvents();
            events[index] += sign;
            bytes[index] += sign * location.sizeBytes();
            wishes += location.isWish() ? sign : 0;
            if (sign > 0) {
                heads.include(location);
            }
        }
    }
}
