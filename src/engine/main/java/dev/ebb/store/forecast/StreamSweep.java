package dev.ebb.store.forecast;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.KeepReason;
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
import dev.ebb.store.events.Removed;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.CapPlace;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Removes from one stream what the decision condemns, in the order of deletion (M-14): first the events that age and
 * own TTLs take, then those of the rest that the caps take. Either part walks two sorted sources of an execution side
 * by side: the ordered events from their head on, and the timed ones by passed deadline or from their head. A shadow of
 * a stream goes the same way, and nothing is deleted.
 */
public final class StreamSweep {

    private final EventTable events;
    private final @Nullable StreamTable streams;

    /** @param streams forgets executions of which nothing is left; null if only shadows are swept */
    public StreamSweep(EventTable events, @Nullable StreamTable streams) {
        this.events = events;
        this.streams = streams;
    }

    /** Returns whether nothing more is due; false if the budget ended it. */
    public boolean removeDue(StreamState stream, long nowMs, SweepBudget budget, RemovalListener listener) {
        for (Segment segment = stream.firstDue(nowMs); segment != null; segment = stream.firstDue(nowMs)) {
            if (budget.isSpent()
                    || (!StreamState.isWithoutEvents(segment) && !new DueSweep(segment, nowMs, listener).run(budget))) {
                return false;
            }
            if (StreamState.isWithoutEvents(segment) && RetentionDecider.isPast(stream.nextDueMs(segment), nowMs)) {
                removeExecution(segment, listener);
                budget.spendDelete();
            }
        }
        return true;
    }

    /** When the current execution goes, another one becomes the current one, so a shadow, too, must let it go. */
    private void removeExecution(Segment segment, RemovalListener listener) {
        StreamState stream = segment.stream();
        events.beginWriting();
        listener.executionRemoved(stream, segment.execution());
        if (stream.isShadow()) {
            stream.drop(segment);
        } else {
            Objects.requireNonNull(streams).removeSegment(segment);
        }
        events.endWriting();
    }

    /**
     * Returns whether nothing more can go; false if the budget ended it. Events that have come since the last slice and
     * are due go first: otherwise others would go because those are still counted.
     */
    public boolean removeOverCap(StreamState stream, long nowMs, SweepBudget budget, RemovalListener listener) {
        if (!removeDue(stream, nowMs, budget, listener)) {
            return false;
        }
        CapSweep sweep = new CapSweep(stream, nowMs, listener);
        Segment segment = stream.nextEligible(sweep.place.next());
        while (segment != null && !sweep.isWithinCaps()) {
            if (!sweep.run(segment, budget)) {
                stream.keepCapPlace(sweep.place);
                return false;
            }
            segment = stream.nextEligible(sweep.place.next());
        }
        stream.capsLookedAt(sweep.place.blockedUntilMs());
        return true;
    }

    /** Removes the event and tells of it. */
    private void remove(Segment segment, Candidate candidate, Decision.Remove removal, RemovalListener listener) {
        EventHeader event = candidate.event();
        Location location = candidate.location();
        events.beginWriting();
        events.remove(segment, event, location);
        listener.removed(
                segment.stream(),
                new Removed(
                        segment.stream().stream(), event, segment.facts(event), removal.cause(), candidate.value()));
        events.endWriting();
    }

    private static @Nullable Candidate first(@Nullable Candidate one, @Nullable Candidate other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.position().compareTo(other.position()) <= 0 ? one : other;
    }

    /** Removes the events that age and own TTLs take from one execution. */
    private final class DueSweep {

        private final Segment segment;
        private final EffectivePolicy policy;
        private final long nowMs;
        private final RemovalListener listener;
        private final Place place;
        private boolean isOrderedGuarded;

        DueSweep(Segment segment, long nowMs, RemovalListener listener) {
            this.segment = segment;
            this.policy = segment.stream().policy();
            this.nowMs = nowMs;
            this.listener = listener;
            this.place = Place.WITHIN_CAPS.inExecution(segment.stream().rankForDecision(segment));
        }

        boolean run(SweepBudget budget) {
            KeepLast keepLast = KeepLast.of(events.store(), segment.stream(), policy);
            Deadlines deadlines = segment.deadlines() instanceof Deadlines left
                    ? left
                    : Deadlines.passed(events, segment, keepLast, nowMs, budget.deletesLeft());
            boolean hasMore = walk(deadlines, keepLast, budget);
            keepInShadow(deadlines);
            if (!hasMore && (isOrderedGuarded || deadlines.hasGuarded())) {
                segment.guard(Math.min(deadlines.beyondMs(), orderedDueMs()));
            }
            boolean isEmpty = StreamState.isWithoutEvents(segment);
            return isEmpty
                    || (!hasMore && !RetentionDecider.isPast(segment.stream().nextDueMs(segment), nowMs));
        }

        /**
         * The heads stand, whatever ends the walk, where the events begin: after a failure, at the event that caused
         * it.
         */
        private boolean walk(Deadlines deadlines, KeepLast keepLast, SweepBudget budget) {
            boolean hasMore = true;
            // An event that is put back into the range below lowers the head again.
            segment.heads().raiseDue(Location.NO_DUE);
            try (HeadWalk ordered = new HeadWalk(events, segment, Range.ORDERED)) {
                try {
                    while (hasMore && !budget.isSpent()) {
                        hasMore = step(ordered, deadlines, keepLast, budget);
                    }
                } finally {
                    segment.heads().raise(Range.ORDERED, ordered.newHead());
                    segment.heads().raiseDue(Math.min(segment.heads().dueMs(), deadlines.nextDueMs()));
                    segment.stream().change(segment);
                }
            }
            return hasMore;
        }

        /**
         * Time at which age takes the first ordered event; never if that time has passed and a guard keeps the event.
         */
        private long orderedDueMs() {
            Position head = isOrderedGuarded ? null : segment.heads().of(Range.ORDERED);
            return head == null
                    ? RetentionDecider.NEVER
                    : RetentionDecider.removableByAgeMs(
                            segment.anchorMs(head.anchorMs(), policy.anchor().value()), policy);
        }

        /** A shadow takes nothing out of the store, so the next slice must go on with the deadlines that were read. */
        private void keepInShadow(Deadlines deadlines) {
            boolean isLeft = segment.stream().isShadow() && deadlines.peek() != null;
            segment.keepDeadlines(isLeft ? deadlines : null);
        }

        /** Returns false if nothing was left to look at. */
        private boolean step(HeadWalk ordered, Deadlines deadlines, KeepLast keepLast, SweepBudget budget) {
            Candidate next = first(aged(ordered), deadlines.peek());
            if (next == null) {
                return false;
            }
            boolean isOrdered = next.range() == Range.ORDERED;
            EventFacts facts = segment.facts(next.event());
            Decision decision = RetentionDecider.decide(
                    facts,
                    keepLast.place(place, next.position()),
                    policy,
                    segment.stream().isHeld(),
                    nowMs);
            if (decision instanceof Decision.Remove removal) {
                remove(segment, next, removal, listener);
                take(isOrdered, ordered, deadlines);
                budget.spendDelete();
            } else if (isOrdered) {
                // All events behind this one are younger still, so the guard that keeps it keeps them as well. It costs
                // nothing: each slice meets it again and must get past it, however short the slice is.
                isOrderedGuarded = true;
            } else {
                putBack(next);
                deadlines.take();
                budget.spendDelete();
            }
            return true;
        }

        private void take(boolean isOrdered, HeadWalk ordered, Deadlines deadlines) {
            if (isOrdered) {
                ordered.take();
            } else {
                deadlines.take();
            }
        }

        /** The oldest ordered event if it is too old; it is read only if its head may be too old. */
        private @Nullable Candidate aged(HeadWalk ordered) {
            Position head = isOrderedGuarded ? null : ordered.newHead();
            if (head == null || !isPastAge(head.anchorMs())) {
                return null;
            }
            Candidate oldest = ordered.peek();
            return oldest != null && isPastAge(oldest.position().anchorMs()) ? oldest : null;
        }

        private boolean isPastAge(long anchorInKey) {
            long anchorMs = segment.anchorMs(anchorInKey, policy.anchor().value());
            return RetentionDecider.isPast(RetentionDecider.removableByAgeMs(anchorMs, policy), nowMs);
        }

        /** A deadline that does not agree with the decision is mended, so that no sweep meets it again. */
        private void putBack(Candidate candidate) {
            if (segment.stream().isShadow()) {
                return;
            }
            EventHeader event = candidate.event();
            Found former = new Found(segment, event, candidate.location());
            events.beginWriting();
            events.replace(segment, event, events.locate(segment, event, 0), candidate.value(), former);
            events.endWriting();
        }
    }

    /** Removes the events that the caps take from one stream, execution after execution. */
    private final class CapSweep {

        private final StreamState stream;
        private final EffectivePolicy policy;
        private final long nowMs;
        private final RemovalListener listener;
        private final CapPlace place;
        private boolean isDone;

        CapSweep(StreamState stream, long nowMs, RemovalListener listener) {
            this.stream = stream;
            this.policy = stream.policy();
            this.nowMs = nowMs;
            this.listener = listener;
            CapPlace known = stream.capPlace();
            this.place = known == null || known.nowMs() != nowMs ? new CapPlace(nowMs) : known;
        }

        boolean isWithinCaps() {
            return isDone
                    || !policy.isOverCap(
                            stream.totalEvents() - place.keptEvents(), stream.totalBytes() - place.keptBytes());
        }

        /** Returns false if the budget ended it. */
        boolean run(Segment segment, SweepBudget budget) {
            long rank = stream.rankForDecision(segment);
            if (rank == 1) {
                place.pass(segment.number());
                return true;
            }
            if (budget.isSpent()) {
                return false;
            }
            boolean hasMore = true;
            try (HeadWalk ordered = new HeadWalk(events, segment, Range.ORDERED);
                    HeadWalk timed = new HeadWalk(events, segment, Range.TIMED)) {
                try {
                    while (hasMore && !budget.isSpent()) {
                        hasMore = step(segment, rank, ordered, timed);
                        spend(budget, hasMore);
                    }
                } finally {
                    segment.heads().raise(Range.ORDERED, ordered.newHead());
                    segment.heads().raise(Range.TIMED, timed.newHead());
                    stream.change(segment);
                }
            }
            if (!hasMore && !isDone) {
                place.pass(segment.number());
            }
            return !hasMore;
        }

        /** An execution that is kept as a whole costs no delete. */
        private static void spend(SweepBudget budget, boolean hasTaken) {
            if (hasTaken) {
                budget.spendDelete();
            } else {
                budget.spendStep();
            }
        }

        /** Returns false if the execution has nothing more to give, or nothing more has to go. */
        private boolean step(Segment segment, long rank, HeadWalk ordered, HeadWalk timed) {
            Candidate next = isWithinCaps() ? null : first(ordered.peek(), timed.peek());
            if (next == null) {
                return false;
            }
            HeadWalk source = next.range() == Range.ORDERED ? ordered : timed;
            EventFacts facts = segment.facts(next.event());
            Decision decision = RetentionDecider.decide(facts, placeOf(segment, rank), policy, stream.isHeld(), nowMs);
            if (decision instanceof Decision.Remove removal && isCounted(next, removal)) {
                source.take();
                return true;
            }
            if (decision instanceof Decision.Remove removal) {
                remove(segment, next, removal, listener);
                source.take();
                return true;
            }
            keepRest(segment, facts, decision);
            return false;
        }

        /** In a shadow the timed events that their TTL took are still in the store. */
        private boolean isCounted(Candidate candidate, Decision.Remove removal) {
            return stream.isShadow()
                    && candidate.range() == Range.TIMED
                    && !removal.cause().isCap();
        }

        private Place placeOf(Segment segment, long rank) {
            return new Place(
                    stream.totalEvents(),
                    stream.totalBytes(),
                    place.keptEvents(),
                    place.keptBytes(),
                    segment.eligibleEvents() - 1,
                    rank);
        }

        /** A guard that keeps the oldest event of an execution keeps all younger ones of it. */
        private void keepRest(Segment segment, EventFacts facts, Decision decision) {
            if (!(decision instanceof Decision.Keep keep) || keep.reason() != KeepReason.GUARDED) {
                isDone = true;
                return;
            }
            place.keep(segment.eligibleEvents(), segment.eligibleBytes());
            long guardedMs = RetentionDecider.lastGuardedMs(
                    facts.anchorMs(policy.anchor().value()), policy);
            if (guardedMs >= nowMs) {
                place.blockUntil(guardedMs + 1);
            }
        }
    }
}
