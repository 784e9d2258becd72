package dev.ebb.store.events;

import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Extent;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** The events of a stream that is moving, from the heads of its executions on: its counts cover both arrangements. */
public record StreamExtent(StreamState stream) implements Extent {

    @Override
    public @Nullable Bytes first(Range range) {
        if (stream.count(range) == 0) {
            return null;
        }
        if (range == Range.PINNED) {
            return EventKeys.start(range, stream.sid());
        }
        return firstHead(range, 0);
    }

    /** Skips executions that lie before the reached key. */
    @Override
    public @Nullable Bytes firstFrom(Range range, Bytes reached) {
        if (!range.isPositional() || stream.count(range) == 0) {
            return Extent.super.firstFrom(range, reached);
        }
        Bytes head = firstHead(range, EventKeys.executionOf(reached));
        return head == null ? null : Extent.later(head, reached);
    }

    private @Nullable Bytes firstHead(Range range, long execution) {
        Segment segment = stream.segmentFrom(execution);
        while (segment != null && segment.heads().of(range) == null) {
            segment = stream.segmentFrom(segment.number() + 1);
        }
        Position head = segment == null ? null : segment.heads().of(range);
        return head == null ? null : EventKeys.positional(range, stream.sid(), head);
    }

    @Override
    public Bytes end(Range range) {
        return EventKeys.end(range, stream.sid());
    }
}
