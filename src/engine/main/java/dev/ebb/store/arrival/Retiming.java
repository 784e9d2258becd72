package dev.ebb.store.arrival;

import dev.ebb.domain.event.Anchor;
import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Move;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;

/** Has the timed events of a stream examined again when their deadlines may lie too late. */
final class Retiming {

    private Retiming() {}

    /**
     * Notes the completion of an execution. If it is earlier than the one before, deadlines that count from it may lie
     * too late.
     *
     * @return true if a move has begun that examines them again
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

    /**
     * Returns true if deadlines may count from a completion. During a move, some events already lie where its target
     * wants them.
     */
    private static boolean hasDeadlinesByCompletion(StreamState stream) {
        return stream.arrangement().anchor() == Anchor.COMPLETED
                || (stream.move() != null && stream.move().target().anchor() == Anchor.COMPLETED);
    }

    /**
     * Begins a move that examines all deadlines. If a move is under way, the new one follows it: the present one may
     * have passed some of the events already.
     */
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
            stream.beginMove(Move.between(unbounded, stream.arrangement(), false, false));
        }
    }
}
