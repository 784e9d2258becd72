package dev.ebb.store.forecast;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.Deadlines;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.events.Found;
import dev.ebb.store.events.HeadWalk;
import dev.ebb.store.events.HeadWalk.Candidate;
import dev.ebb.store.events.KeepLast;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.ShadowWalk;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * One slice in which age and own TTLs take events from one execution: the ordered events from their head on, the timed
 * events by passed deadline. Not thread-safe.
 */
final class DueSweep {

    private final EventTable events;
    private final Segment segment;
    private final StreamState stream;
    private final EffectivePolicy policy;
    private final long nowMs;
    private final RemovalListener listener;
    private final SweepBudget budget;
    private final Place place;
    private final KeepLast keepLast;
    private final Deadlines deadlines;
    private boolean isOrderedGuarded;

    DueSweep(EventTable events, Segment segment, long nowMs, SweepBudget budget, RemovalListener listener) {
        this.events = events;
        this.segment = segment;
        this.stream = segment.stream();
        this.policy = stream.policy();
        this.nowMs = nowMs;
        this.budget = budget;
        this.listener = listener;
        this.place = Place.WITHIN_CAPS.inExecution(stream.rankForDecision(segment));
        this.keepLast = KeepLast.of(events.store(), stream, policy);
        ShadowWalk shadow = segment.shadowWalk();
        this.deadlines = shadow != null && shadow.deadlines() instanceof Deadlines left
                ? left
                : Deadlines.passed(events, segment, keepLast, nowMs, budget.deletesLeft());
    }

    /** Returns true if nothing more is due, false if the budget ended the slice. */
    boolean run() {
        boolean hasMore = walk();
        if (segment.shadowWalk() != null) {
            // Nothing is removed from the store, so the next slice must continue with the deadlines that were read.
            segment.shadowWalk().keepDeadlines(deadlines.peek() == null ? null : deadlines);
        }
        if (!hasMore && (isOrderedGuarded || deadlines.hasGuarded())) {
            segment.guard(Math.min(deadlines.beyondMs(), orderedDueMs()));
        }
        return StreamState.isWithoutEvents(segment)
                || (!hasMore && !RetentionDecider.isPast(stream.nextDueMs(segment), nowMs));
    }

    /**
     * Walks on until nothing is due or the budget is spent. However the walk ends, the heads lie where the events
     * begin; after a failure, at the event that caused it.
     */
    private boolean walk() {
        boolean hasMore = true;
        // An event that is put back into the range below lowers the first deadline again.
        segment.heads().raiseDue(Location.NO_DUE);
        try (HeadWalk ordered = new HeadWalk(events, segment, Range.ORDERED)) {
            try {
                while (hasMore && !budget.isSpent()) {
                    hasMore = step(ordered);
                }
            } finally {
                segment.heads().raise(Range.ORDERED, ordered.newHead());
                segment.heads().raiseDue(Math.min(segment.heads().dueMs(), deadlines.nextDueMs()));
                stream.change(segment);
            }
        }
        return hasMore;
    }

    /**
     * Returns the time at which age takes the first ordered event; {@link RetentionDecider#NEVER} if that time has
     * passed and a guard keeps the event.
     */
    private long orderedDueMs() {
        Position head = isOrderedGuarded ? null : segment.heads().of(Range.ORDERED);
        return head == null ? RetentionDecider.NEVER : removableByAgeMs(head.anchorMs());
    }

    /** Returns false if nothing is left to examine. */
    private boolean step(HeadWalk ordered) {
        Candidate next = Candidate.first(aged(ordered), deadlines.peek());
        if (next == null) {
            return false;
        }
        Decision decision = decide(next);
        boolean isOrdered = next.range() == Range.ORDERED;
        if (isOrdered && !decision.isRemove()) {
            // All later events are younger still, so the guard that keeps this one keeps them, too. The step costs
            // nothing: each slice meets this event again and must get past it, however short the slice is.
            isOrderedGuarded = true;
            return true;
        }
        settle(next, decision);
        take(isOrdered, ordered);
        budget.spendDelete();
        return true;
    }

    private void take(boolean isOrdered, HeadWalk ordered) {
        if (isOrdered) {
            ordered.take();
        } else {
            deadlines.take();
        }
    }

    private Decision decide(Candidate candidate) {
        Place there = keepLast.place(place, candidate.position());
        return segment.decide(candidate.event(), there, policy, stream.cover(nowMs), nowMs);
    }

    private void settle(Candidate candidate, Decision decision) {
        if (decision instanceof Decision.Remove removal) {
            events.remove(segment, candidate, removal.cause(), listener);
        } else {
            putBack(candidate);
        }
    }

    /** Returns the oldest ordered event if it is too old. The event is read only if its head may be too old. */
    private @Nullable Candidate aged(HeadWalk ordered) {
        Position head = isOrderedGuarded ? null : ordered.newHead();
        if (head == null || !isPastAge(head)) {
            return null;
        }
        Candidate oldest = ordered.peek();
        return oldest != null && isPastAge(oldest.position()) ? oldest : null;
    }

    private boolean isPastAge(Position position) {
        return RetentionDecider.isPast(removableByAgeMs(position.anchorMs()), nowMs);
    }

    private long removableByAgeMs(long anchorInKey) {
        return RetentionDecider.removableByAgeMs(
                segment.anchorMs(anchorInKey, policy.anchor().value()), policy);
    }

    /** Corrects a deadline that disagrees with the decision, so that no sweep meets it again. */
    private void putBack(Candidate candidate) {
        if (stream.isShadow()) {
            return;
        }
        EventHeader event = candidate.event();
        Found former = new Found(segment, event, candidate.location());
        events.beginWriting();
        events.move(segment, event, events.locate(segment, event, 0), candidate.value(), former);
        events.endWriting();
    }
}
