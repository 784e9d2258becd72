package dev.ebb.topology.undo;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.util.List;

/** Executions of a stream that {@code minAge} keeps whole from the caps, judged by their first events. Immutable. */
final class AgeGuards {

    /**
     * Largest number of executions to look at: nothing else of the task goes on during the look at a returning event
     * (T-4), and a stream may have very many executions.
     */
    private static final int MOST_LOOKS = 100;

    private static final List<Range> ELIGIBLE = List.of(Range.ORDERED, Range.TIMED);

    private final EffectivePolicy policy;
    private final long dueMs;

    /** @param dueMs the time for which the guards are judged, epoch milliseconds */
    AgeGuards(EffectivePolicy policy, long dueMs) {
        this.policy = policy;
        this.dueMs = dueMs;
    }

    /** Returns true if all events of the execution are known to be guarded, as they are if the first one is. */
    boolean keep(Segment segment) {
        StreamState stream = segment.stream();
        boolean isArranged = !stream.isMoving()
                && stream.arrangement().anchor() == policy.anchor().value();
        return !policy.minAge().value().isNone()
                && isArranged
                && ELIGIBLE.stream().allMatch(range -> segment.count(range) == 0 || isGuarded(segment, range));
    }

    private boolean isGuarded(Segment segment, Range range) {
        Position head = segment.heads().of(range);
        if (head == null) {
            return false;
        }
        long anchorMs = segment.anchorMs(head.anchorMs(), policy.anchor().value());
        return dueMs <= RetentionDecider.lastGuardedMs(anchorMs, policy);
    }

    /**
     * Returns the number of events that caps may take from stored executions, as far as {@code minAge} decides.
     *
     * @param from the lowest execution
     * @param to the number after the highest one
     * @param most the count ends there
     */
    long free(StreamState stream, long from, long to, long most) {
        long events = 0;
        int looks = 0;
        Segment next = from < to && most > 0 ? stream.nextEligible(from) : null;
        while (next != null && next.number() < to && events < most) {
            if (looks == MOST_LOOKS) {
                // Where no guard is possible, that many executions have enough events.
                return policy.minAge().value().isNone() ? most : events;
            }
            looks++;
            events += keep(next) ? 0 : next.eligibleEvents();
            next = stream.nextEligible(next.number() + 1);
        }
        return events;
    }
}
