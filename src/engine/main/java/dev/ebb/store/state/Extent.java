package dev.ebb.store.state;

import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** The part of the events store that a {@link Passage} goes through. */
public interface Extent {

    /** Returns the first key of the range that may be live; null if there is none. */
    @Nullable
    Bytes first(Range range);

    /** Returns the first key of the range at or after {@code reached} that may be live; null if there is none. */
    default @Nullable Bytes firstFrom(Range range, Bytes reached) {
        Bytes first = first(range);
        return first == null ? null : later(first, reached);
    }

    static Bytes later(Bytes one, Bytes other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    /** Returns a key after which the range holds no key. */
    Bytes end(Range range);

    /**
     * Returns true if the number of events is known. Otherwise the ranges are read to their ends, including tombstones.
     */
    default boolean isCounted() {
        return false;
    }

    /** Returns the number of events in the range; only if they are counted. */
    default long count(Range range) {
        throw new UnsupportedOperationException("not counted");
    }

    /** Notes that fewer events were found than the usage counts. */
    default void miscounted() {}

    /** Returns true if heads follow removals. */
    default boolean hasHeads() {
        return false;
    }

    /** Notes that no live event of the range lies before this position; only if there are heads. */
    default void raise(Range range, Position position) {}

    /** Returns the extent of all keys under the number of a stream, whatever is known of the stream. */
    static Extent ofSid(int sid) {
        return new OfSid(sid);
    }

    /** All keys of a stream number. */
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
}
