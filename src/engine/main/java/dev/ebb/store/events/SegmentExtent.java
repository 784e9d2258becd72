package dev.ebb.store.events;

import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Extent;
import dev.ebb.store.state.Segment;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** The counted events of an execution, from its heads on. */
public record SegmentExtent(Segment segment) implements Extent {

    @Override
    public @Nullable Bytes first(Range range) {
        Position head = segment.count(range) == 0 ? null : segment.heads().of(range);
        return head == null
                ? null
                : EventKeys.positional(range, segment.stream().sid(), head);
    }

    @Override
    public Bytes end(Range range) {
        Position last = new Position(segment.number(), Long.MAX_VALUE, Long.MAX_VALUE);
        return EventKeys.positional(range, segment.stream().sid(), last);
    }

    @Override
    public boolean isCounted() {
        return true;
    }

    @Override
    public long count(Range range) {
        return segment.count(range);
    }

    @Override
    public void miscounted() {
        segment.stream().suspect("the usage of " + segment + " counts events that are not there");
    }

    @Override
    public boolean hasHeads() {
        return true;
    }

    @Override
    public void raise(Range range, Position position) {
        Position head = segment.heads().of(range);
        if (segment.count(range) == 0) {
            segment.heads().raise(range, null);
        } else if (head != null && head.compareTo(position) < 0) {
            segment.heads().raise(range, position);
        }
    }
}
