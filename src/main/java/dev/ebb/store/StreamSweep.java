package dev.ebb.store;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.HeadWalk.Candidate;
import org.jspecify.annotations.Nullable;

/**
 * Removes from one stream what the decision condemns, in the order of deletion (M-14): what age and own TTLs take first,
 * then what the caps take of the rest. Each walks two sorted sources side by side: the ordered events from their head on,
 * and the timed ones by passed deadline or from their head.
 */
final class StreamSweep {

    private final EventStore store;

    StreamSweep(EventStore store) {
        this.store = store;
    }

    /** Returns whether nothing more is due; false if the budget ended it. */
    boolean removeDue(StreamState stream, long nowMs, SweepBudget budget, RemovalListener listener) {
        Deadlines deadlines = Deadlines.passed(store, stream, nowMs, budget.deletesLeft());
        // What is put back into the range below lowers the head again.
        stream.heads.raiseDue(Location.NO_DUE);
        try (HeadWalk ordered = new HeadWalk(store, stream, Range.ORDERED)) {
            while (!budget.isSpent()) {
                Candidate next = first(aged(ordered, stream, nowMs), deadlines.peek());
                if (next == null) {
                    break;
                }
                if (next.range() == Range.ORDERED) {
                    ordered.take();
                } else {
                    deadlines.take();
                }
                if (!remove(stream, next, Place.WITHIN_CAPS, nowMs, listener)) {
                    putBack(stream, next);
                }
                budget.spendDelete();
            }
            stream.heads.raise(Range.ORDERED, ordered.newHead());
            stream.heads.raiseDue(Math.min(stream.heads.dueMs(), deadlines.nextDueMs()));
        }
        return !RetentionDecider.isPast(stream.nextDueMs(), nowMs);
    }

    /** Returns whether nothing more can go; false if the budget ended it. */
    boolean removeOverCap(StreamState stream, long nowMs, SweepBudget budget, RemovalListener listener) {
        try (HeadWalk ordered = new HeadWalk(store, stream, Range.ORDERED);
                HeadWalk timed = new HeadWalk(store, stream, Range.TIMED)) {
            boolean isDone = false;
            while (!isDone && !budget.isSpent()) {
                isDone = !removeOldest(stream, ordered, timed, nowMs, listener);
                budget.spendDelete();
            }
            stream.heads.raise(Range.ORDERED, ordered.newHead());
            stream.heads.raise(Range.TIMED, timed.newHead());
            return isDone;
        }
    }

    private boolean removeOldest(
            StreamState stream, HeadWalk ordered, HeadWalk timed, long nowMs, RemovalListener listener) {
        Candidate next = stream.isOverCap() ? first(ordered.peek(), timed.peek()) : null;
        Place place = Place.atHead(stream.totalEvents(), stream.totalBytes());
        if (next == null || !remove(stream, next, place, nowMs, listener)) {
            return false;
        }
        (next.range() == Range.ORDERED ? ordered : timed).take();
        return true;
    }

    /** The oldest ordered event if it is too old; looks at it only if its head may be. */
    private static @Nullable Candidate aged(HeadWalk ordered, StreamState stream, long nowMs) {
        EffectivePolicy policy = stream.policy();
        Position head = ordered.newHead();
        if (head == null || !RetentionDecider.isPast(RetentionDecider.dueByAgeMs(head.anchorMs(), policy), nowMs)) {
            return null;
        }
        Candidate oldest = ordered.peek();
        return oldest != null && RetentionDecider.isDue(oldest.event(), policy, nowMs) ? oldest : null;
    }

    /** Asks for the decision and carries it out; returns whether the event is gone. */
    private boolean remove(StreamState stream, Candidate candidate, Place place, long nowMs, RemovalListener listener) {
        EventHeader event = candidate.event();
        Decision decision = RetentionDecider.decide(event, place, stream.policy(), nowMs);
        if (decision instanceof Decision.Remove removal) {
            store.remove(stream, event.id(), location(stream, candidate));
            listener.removed(stream, event, removal.cause());
            return true;
        }
        return false;
    }

    /** A deadline that does not agree with the decision is mended, so that no sweep meets it again. */
    private void putBack(StreamState stream, Candidate candidate) {
        EventHeader event = candidate.event();
        Location old = location(stream, candidate);
        store.replace(stream, event.id(), store.locate(stream, event), store.value(stream, old, event.id()), old);
    }

    private Location location(StreamState stream, Candidate candidate) {
        EventHeader event = candidate.event();
        if (candidate.range() == Range.ORDERED) {
            return new Location(Range.ORDERED, candidate.position(), Location.NO_DUE, event.sizeBytes());
        }
        Location location = store.locationOf(stream, event.id());
        if (location == null) {
            throw new IllegalStateException("an event of stream " + stream + " is missing in the id index");
        }
        return location;
    }

    private static @Nullable Candidate first(@Nullable Candidate one, @Nullable Candidate other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.position().compareTo(other.position()) <= 0 ? one : other;
    }
}
