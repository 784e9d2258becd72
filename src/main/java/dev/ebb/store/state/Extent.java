package dev.ebb.store.state;

import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** The part of the events store that a {@link Passage} goes through. */
public interface Extent {

    /** The first key of the range that may be live; null if there is none. */
    @Nullable
    Bytes first(Range range);

    /** The first key of the range, from that one on, that may be live; null if there is none. */
    default @Nullable Bytes firstFrom(Range range, Bytes reached) {
        Bytes first = first(range);
        return first == null ? null : later(first, reached);
    }

    private static Bytes later(Bytes one, Bytes other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    /** No key of the range lies behind this one. */
    Bytes end(Range range);

    /** Whether it is known how many events there are; else the ranges are read to their ends, tombstones included. */
    default boolean isCounted() {
        return false;
    }

    /** How many events the range holds; only if they are counted. */
    default long count(Range range) {
        throw new UnsupportedOperationException("not counted");
    }

    /** Called when fewer events are found than the usage counts. */
    default void miscounted() {}

    /** Whether heads follow what is removed. */
    default boolean hasHeads() {
        return false;
    }

    /** No live event of the range lies before that position; only if there are heads. */
    default void raise(Range range, Position position) {}

    /** All that lies under the number of a stream, whatever is known of it. */
    static Extent ofSid(int sid) {
        return new OfSid(sid);
    }

    /** The events of a stream, from the heads of its executions on. */
    static Extent of(StreamState stream) {
        return new OfStream(stream);
    }

    /** The events of an execution, as many as are counted, from its heads on. */
    static Extent of(Segment segment) {
        return new OfSegment(segment);
    }

    /** All keys of a number. */
    record OfSid(int sid) implements Extent {

        @Override
        public Bytes first(Range range) {
            return EventKeys.start(range, sid);
        }

        @Override
        public Bytes end(Range range) {
            return EventKeys.end(range, sid);
        }
    }

    /** A stream whose events are on their way elsewhere: its counts hold both places. */
    record OfStream(StreamState stream) implements Extent {

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

        /** Of the executions that lie behind, none is looked at again. */
        @Override
        public @Nullable Bytes firstFrom(Range range, Bytes reached) {
            if (!range.isPositional() || stream.count(range) == 0) {
                return Extent.super.firstFrom(range, reached);
            }
            Bytes head = firstHead(range, EventKeys.executionOf(reached));
            return head == null ? null : later(head, reached);
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

    /** An execution. */
    record OfSegment(Segment segment) implements Extent {

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
}
