package dev.ebb.store.pass;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.EventTotals;
import dev.ebb.store.state.Extent;
import dev.ebb.store.state.Heads;
import dev.ebb.store.state.Passage;
import dev.ebb.store.state.Passage.Outcome;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamPass;
import dev.ebb.store.state.StreamState;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Recounts the events of a stream in slices, while others come and go: events that the pass has passed are counted, and
 * changes behind it are counted as they happen. An event that is not found under its id is rewritten, which restores
 * its index entries. Not thread-safe.
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
        return Passage.oneByOne(Range.OF_EVENTS);
    }

    /** Returns the stream of the recount. */
    StreamState stream() {
        return stream;
    }

    @Override
    public void note(long execution, EventHeader event, Location location, int sign) {
        if (passage.isBehind(stream.sid(), location, event.id())) {
            count(execution).add(location, sign);
        }
    }

    @Override
    public void rearranged() {
        passage = newPassage();
        counts.clear();
    }

    /** Continues the count; returns true if everything is counted, false if the budget ended the slice. */
    boolean slice(KeyValueStore<Bytes, byte[]> events, SweepBudget budget) {
        return passage.slice(events, Extent.ofSid(stream.sid()), budget, (range, key, value) -> {
            EventHeader event = StoredEventCodec.decodeHeader(value);
            Location location = Location.of(range, key.get(), StoredEventCodec.decodeIdentity(value), value);
            count(event.execution()).add(location, 1);
            mendId(events, event.id(), location, key, value);
            budget.spendDelete();
            return Outcome.STAYS;
        });
    }

    private void mendId(KeyValueStore<Bytes, byte[]> events, String id, Location location, Bytes key, byte[] value) {
        byte[] known = events.get(EventKeys.byId(Range.IDS, stream.sid(), id));
        if (known == null || !Location.decode(known).equals(location)) {
            events.put(key, value);
            mendedIds++;
        }
    }

    private Count count(long execution) {
        return counts.computeIfAbsent(execution, number -> new Count());
    }

    /** Returns the numbers of the executions that have events. */
    Iterable<Long> executions() {
        return List.copyOf(counts.keySet());
    }

    /** Returns the number of events that were not found under their ids. */
    long mendedIds() {
        return mendedIds;
    }

    /** Replaces the figures of the segment by the counted ones; returns the differences, or null if there are none. */
    @Nullable
    String mend(Segment segment) {
        Count found = counts.getOrDefault(segment.number(), new Count());
        String difference = difference(segment, found);
        segment.recounted(found.totals, found.heads);
        return difference;
    }

    private static @Nullable String difference(Segment segment, Count found) {
        String heads = wrongHeads(segment.heads(), found.heads);
        return found.totals.agreeWith(segment.totals()) && heads.isEmpty()
                ? null
                : String.format(
                        Locale.ROOT,
                        "execution %d: recorded %d events (%d bytes), found %d (%d bytes)%s",
                        segment.number(),
                        segment.totalEvents(),
                        segment.totalBytes(),
                        found.totals.events(),
                        found.totals.bytes(),
                        heads);
    }

    /** Describes heads that lie above the first event, where no sweep would find it; a head may lie below. */
    private static String wrongHeads(Heads recorded, Heads found) {
        StringBuilder text = new StringBuilder();
        for (Range range : Range.OF_EVENTS) {
            Position first = range.isPositional() ? found.of(range) : null;
            Position head = first == null ? null : recorded.of(range);
            if (first != null && (head == null || first.compareTo(head) < 0)) {
                text.append(", and ")
                        .append(range.name().toLowerCase(Locale.ROOT))
                        .append(" ones before the first that was recorded");
            }
        }
        return found.dueMs() < recorded.dueMs()
                ? text.append(", and deadlines before the first that was recorded")
                        .toString()
                : text.toString();
    }

    /** The count of one execution, and the places where its events begin. */
    private static final class Count {

        private final EventTotals totals = new EventTotals();
        private final Heads heads = new Heads();

        void add(Location location, int sign) {
            totals.add(location, sign);
            if (sign > 0) {
                heads.include(location);
            }
        }
    }
}
