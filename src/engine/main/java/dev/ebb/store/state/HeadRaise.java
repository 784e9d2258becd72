package dev.ebb.store.state;

import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** Raises the heads of an extent after a slice of a {@link Passage} (law 4). Not thread-safe. */
final class HeadRaise {

    private final Extent extent;
    private final List<Range> ranges;
    private final boolean[] isGapless = new boolean[Range.OF_EVENTS.size()];
    private final @Nullable Position[] standing = new @Nullable Position[Range.OF_EVENTS.size()];
    private final @Nullable Position[] reached = new @Nullable Position[Range.OF_EVENTS.size()];
    private boolean hasRemoved;

    /** @param isAtHead selects the ranges in which the slice begins at the head */
    HeadRaise(Extent extent, List<Range> ranges, Predicate<Range> isAtHead) {
        this.extent = extent;
        this.ranges = ranges;
        for (Range range : ranges) {
            isGapless[range.ordinalOfEvents()] = extent.hasHeads() && isAtHead.test(range);
        }
    }

    /**
     * Notes an event that the slice has passed.
     *
     * @param reading the ranges that were read as far as this event
     */
    void passed(Range ofEvent, Bytes key, boolean stays, List<Range> reading) {
        if (!extent.hasHeads()) {
            return;
        }
        Position position = EventKeys.positionOf(key);
        int index = ofEvent.ordinalOfEvents();
        for (Range range : reading) {
            reached[range.ordinalOfEvents()] = position.next();
        }
        if (stays && standing[index] == null) {
            standing[index] = position;
        }
        hasRemoved |= !stays;
    }

    /**
     * Raises the heads. If no event of a range stays, nothing of the range lies before the cursor. After a slice that
     * removed nothing, the heads remain as saved.
     */
    void raise() {
        if (!hasRemoved) {
            return;
        }
        for (Range range : ranges) {
            int index = range.ordinalOfEvents();
            Position head = standing[index] == null ? reached[index] : standing[index];
            if (isGapless[index] && head != null) {
                extent.raise(range, head);
            }
        }
    }
}
