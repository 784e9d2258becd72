package dev.ebb.store.arrival;

import dev.ebb.domain.event.Anchor;
import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Move;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;

/** Has all timed events of a stream looked at anew whose deadlines may lie too late. */
final class Retiming {

    private Retiming() {}

    /**
     * Deadlines that count from the completion of an execution may lie too late when a new completion is earlier than
     * the one before.
     *
     * @return true if a move has begun that looks at them anew
     */
    static boolean noteCompletion(Segment segment) {
        Long completedAt = segment.execution().completedAt();
        if (completedAt == null || segment.number() == 0) {
            return false;
        }
        boolean isEarlier = completedAt < segment.latestCompletedMs();
        segment.complete(completedAt);
        boolean wasMoving = segment.stream().isMoving();
        if (isEarlier && hasDeadlinesByCompletion(segment.stream())) {
            begin(segment.stream());
        }
        return segment.stream().isMoving() != wasMoving;
    }

    /** A move has put some events already where its target wants them. */
    private static boolean hasDeadlinesByCompletion(StreamState stream) {
        return stream.arrangement().anchor() == Anchor.COMPLETED
                || (stream.move() != null && stream.move().target().anchor() == Anchor.COMPLETED);
    }

    /** A move that is under way may have passed some of the events already, so it is followed by another one. */
    static void begin(StreamState stream) {
        if (stream.move() != null) {
            stream.move().retimeAfterwards();
        } else if (stream.count(Range.TIMED) > 0) {
            Arrangement unbounded = new Arrangement(
                    stream.arrangement().anchor(),
                    -1,
                    -1,
                    -1,
                    stream.arrangement().allowInfinite(),
                    stream.arrangement().statuses());
            stream.beginMove(Move.between(unbounded, stream.arrangement(), false));
        }
    }
}
