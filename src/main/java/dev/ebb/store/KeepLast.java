package dev.ebb.store;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * From where on the events of a stream without executions are among its last (the guard {@code keepLast}). Where no event
 * has an own TTL their number alone says so; else the line is found by reading backwards as many keys as are kept.
 */
final class KeepLast {

    /** Far more newer events than any guard keeps. */
    private static final long MANY = Long.MAX_VALUE;

    private final @Nullable Position line;

    private KeepLast(@Nullable Position line) {
        this.line = line;
    }

    /** The line of a stream in which something may be due; nothing is read where there is no such guard. */
    static KeepLast of(ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamState stream, EffectivePolicy policy) {
        var keepLast = policy.keepLast().value();
        if (keepLast.isNone() || stream.executions != null) {
            return new KeepLast(null);
        }
        if (stream.root.eligibleEvents() <= keepLast.value()) {
            return new KeepLast(new Position(0, 0, 0));
        }
        return new KeepLast(line(events, stream, (int) Math.min(Integer.MAX_VALUE, keepLast.value())));
    }

    /**
     * The same where the keys do not lie in the order of the policy.
     *
     * @param eligible the positions of all that may go, in any order
     */
    static KeepLast of(List<Position> eligible, long keep) {
        if (eligible.size() <= keep) {
            return new KeepLast(new Position(0, 0, 0));
        }
        List<Position> last = new ArrayList<>(eligible);
        last.sort(Comparator.reverseOrder());
        return new KeepLast(last.get((int) keep - 1));
    }

    /** Whether it keeps an event at that position. */
    boolean keeps(Position position) {
        return line != null && position.compareTo(line) >= 0;
    }

    /** The place with what is known of how many events are newer: none or more than any guard keeps. */
    Place place(Place place, Position position) {
        return place.withNewer(keeps(position) ? 0 : MANY);
    }

    /** Read once for all slices of a sweep: the line stays as long as nothing comes, and nothing goes above it. */
    private static Position line(ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamState stream, int keep) {
        KeepLine known = stream.keepLine;
        if (known == null || known.keep() != keep) {
            known = new KeepLine(keep, find(events, stream, keep));
            stream.keepLine = known;
        }
        return known.position();
    }

    /** Where the last so many eligible events of a stream begin. */
    record KeepLine(int keep, Position position) {}

    private static Position find(ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamState stream, int keep) {
        List<Position> last = new ArrayList<>();
        collect(events, stream, Range.ORDERED, keep, last);
        collect(events, stream, Range.TIMED, keep, last);
        last.sort(Comparator.reverseOrder());
        return last.get(keep - 1);
    }

    private static void collect(
            ReadOnlyKeyValueStore<Bytes, byte[]> events,
            StreamState stream,
            Range range,
            int keep,
            List<Position> last) {
        long left = Math.min(keep, stream.root.count(range));
        if (left == 0) {
            return;
        }
        Bytes from = ReadOnlyEventStore.startOf(stream, stream.root, range);
        try (var entries = events.reverseRange(from, EventKeys.end(range, stream.sid))) {
            while (left > 0 && entries.hasNext()) {
                last.add(EventKeys.positionOf(entries.next().key));
                left--;
            }
        }
    }
}
