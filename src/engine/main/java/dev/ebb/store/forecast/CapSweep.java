package dev.ebb.store.forecast;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Cover;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.KeepReason;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.events.HeadWalk;
import dev.ebb.store.events.HeadWalk.Candidate;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.CapPlace;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;

/**
 * One slice in which the caps take events from one stream, execution by execution: the ordered and the timed events of
 * each, from their heads on. Not thread-safe.
 */
final class CapSweep {

    private final EventTable events;
    private final StreamState stream;
    private final EffectivePolicy policy;
    private final long nowMs;
    private final SweepBudget budget;
    private final RemovalListener listener;
    private final CapPlace place;
    private boolean isDone;

    CapSweep(EventTable events, StreamState stream, long nowMs, SweepBudget budget, RemovalListener listener) {
        this.events = events;
        this.stream = stream;
        this.policy = stream.policy();
        this.nowMs = nowMs;
        this.budget = budget;
        this.listener = listener;
        CapPlace known = stream.sweepMemory().capPlace();
        this.place = known == null || known.nowMs() != nowMs ? new CapPlace(nowMs) : known;
    }

    /** Returns true if nothing more can go, false if the budget ended the slice. */
    boolean run() {
        if (stream.cover(nowMs) != Cover.NONE) {
            // A cover ends without any change of the stream, so nothing is noted of what the caps would take.
            return true;
        }
        Segment segment = stream.nextEligible(place.next());
        while (segment != null && !isWithinCaps()) {
            if (!sweep(segment)) {
                stream.remember(stream.sweepMemory().withCapPlace(place));
                return false;
            }
            segment = stream.nextEligible(place.next());
        }
        stream.remember(stream.sweepMemory().withCapsBlocked(place.blockedUntilMs()));
        return true;
    }

    private boolean isWithinCaps() {
        return isDone
                || !policy.isOverCap(
                        stream.totalEvents() - place.keptEvents(), stream.totalBytes() - place.keptBytes());
    }

    /** Returns false if the budget ended the slice. */
    private boolean sweep(Segment segment) {
        long rank = stream.rankForDecision(segment);
        if (rank == 1) {
            place.pass(segment.number());
            return true;
        }
        if (budget.isSpent()) {
            return false;
        }
        boolean hasMore = walk(segment, rank);
        if (!hasMore && !isDone) {
            place.pass(segment.number());
        }
        return !hasMore;
    }

    private boolean walk(Segment segment, long rank) {
        boolean hasMore = true;
        try (HeadWalk ordered = new HeadWalk(events, segment, Range.ORDERED);
                HeadWalk timed = new HeadWalk(events, segment, Range.TIMED)) {
            try {
                while (hasMore && !budget.isSpent()) {
                    hasMore = step(segment, rank, ordered, timed);
                    spend(hasMore);
                }
            } finally {
                segment.heads().raise(Range.ORDERED, ordered.newHead());
                segment.heads().raise(Range.TIMED, timed.newHead());
                stream.change(segment);
            }
        }
        return hasMore;
    }

    /** Charges a delete, or only a step for an execution that is kept as a whole. */
    private void spend(boolean hasTaken) {
        if (hasTaken) {
            budget.spendDelete();
        } else {
            budget.spendStep();
        }
    }

    /** Returns false if the execution can give nothing more, or if nothing more has to go. */
    private boolean step(Segment segment, long rank, HeadWalk ordered, HeadWalk timed) {
        Candidate next = isWithinCaps() ? null : Candidate.first(ordered.peek(), timed.peek());
        if (next == null) {
            return false;
        }
        Decision decision = segment.decide(next.event(), placeOf(segment, rank), policy, stream.cover(nowMs), nowMs);
        if (decision instanceof Decision.Remove removal) {
            if (!isCounted(next, removal)) {
                events.remove(segment, next, removal.cause(), listener);
            }
            (next.range() == Range.ORDERED ? ordered : timed).take();
            return true;
        }
        keepRest(segment, segment.facts(next.event()), decision);
        return false;
    }

    /** Returns true for a timed event of a shadow that its TTL took: it is already counted, but still in the store. */
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

    /** Notes that the rest of the execution stays: a guard that keeps its oldest event keeps all younger ones. */
    private void keepRest(Segment segment, EventFacts facts, Decision decision) {
        if (!(decision instanceof Decision.Keep keep) || keep.reason() != KeepReason.GUARDED) {
            isDone = true;
            return;
        }
        place.keep(segment.eligibleEvents(), segment.eligibleBytes());
        long guardedMs =
                RetentionDecider.lastGuardedMs(facts.anchorMs(policy.anchor().value()), policy);
        if (guardedMs >= nowMs) {
            place.blockUntil(guardedMs + 1);
        }
    }
}
