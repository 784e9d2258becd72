package dev.ebb.store.read;

import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.util.Comparator;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/** The times from which the ages of the oldest and the newest unprotected event of a stream count. Stateless. */
record StreamEdges(ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamReader reader) {

    /** Returns the earliest of these times, epoch milliseconds; null if there is no such event. */
    @Nullable
    Long oldestMs(StreamState stream) {
        return anchors(stream, true).min(Comparator.naturalOrder()).orElse(null);
    }

    /** Returns the latest of these times, epoch milliseconds; null if there is no such event. */
    @Nullable
    Long newestMs(StreamState stream) {
        return anchors(stream, false).max(Comparator.naturalOrder()).orElse(null);
    }

    private Stream<Long> anchors(StreamState stream, boolean isOldest) {
        StreamState state = reader.withExecutions(stream);
        return state.segments().stream().flatMap(segment -> anchors(state, segment, isOldest));
    }

    private Stream<Long> anchors(StreamState state, Segment segment, boolean isOldest) {
        return segment.execution().isTerminal()
                ? Stream.of(Range.ORDERED, Range.TIMED, Range.INFINITE)
                        .filter(range -> segment.count(range) > 0)
                        .map(range -> isOldest || segment.count(range) == 1
                                ? first(state, segment, range)
                                : last(state, segment, range))
                        .flatMap(Stream::ofNullable)
                        .map(position -> segment.anchorMs(
                                position.anchorMs(), state.arrangement().anchor()))
                : Stream.empty();
    }

    private @Nullable Position first(StreamState state, Segment segment, Range range) {
        try (var entries = events.range(segment.startOf(range), EventKeys.end(range, state.sid()))) {
            return next(entries);
        }
    }

    private @Nullable Position last(StreamState state, Segment segment, Range range) {
        Position end = new Position(segment.number(), Long.MAX_VALUE, Long.MAX_VALUE);
        Bytes to = EventKeys.positional(range, state.sid(), end);
        try (var entries = events.reverseRange(segment.startOf(range), to)) {
            return next(entries);
        }
    }

    private static @Nullable Position next(KeyValueIterator<Bytes, byte[]> entries) {
        return entries.hasNext() ? EventKeys.positionOf(entries.next().key) : null;
    }
}
