package dev.ebb.store;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepBudget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The forecast for a stream whose events would lie in another order under the policy: all that may go are looked at, and
 * those on which their neighbours have a say are sorted in memory. What a shadow of the stream counts is what would be
 * left of it. While another set of terminal statuses is taken in, events count as what they are.
 */
final class RearrangedForecast implements StreamForecast {

    private final EventTable events;
    private final StreamState shadow;
    private final EffectivePolicy policy;
    private final long nowMs;
    private final EventWalk walk;

    /** Each slice sorts what it adds and takes: to sort all of them at once would take as long as there are events. */
    private final PriorityQueue<Entry> eligible =
            new PriorityQueue<>(Comparator.comparing(entry -> entry.location().position()));

    private Phase phase = Phase.READ;
    private final List<Entry> left = new ArrayList<>();
    private int next;
    private @Nullable Segment current;
    private boolean isCurrentKept;
    private long keptEvents;
    private long keptBytes;

    RearrangedForecast(EventTable events, StreamState stream, StreamState shadow, long nowMs) {
        this.events = events;
        this.shadow = shadow;
        this.policy = shadow.policy();
        this.nowMs = nowMs;
        this.walk = new EventWalk(events.store(), stream);
        shadow.forgetPlaces();
    }

    private enum Phase {
        READ,
        DUE,
        CAPS,
        DONE
    }

    /** An event that may go, and where it would lie. */
    private record Entry(Segment segment, EventHeader event, Location location, Bytes key) {}

    @Override
    public boolean step(SweepBudget budget, RemovalListener listener) {
        while (phase != Phase.DONE) {
            if (budget.isSpent()) {
                return false;
            }
            switch (phase) {
                case READ -> read(budget);
                case DUE -> takeDue(budget, listener);
                default -> takeOverCap(budget, listener);
            }
        }
        return true;
    }

    private void read(SweepBudget budget) {
        for (var entry : walk.nextBatch()) {
            EventHeader event = StoredEventCodec.decodeHeader(entry.value);
            Segment segment = shadow.segment(event.execution());
            if (segment != null) {
                place(new Entry(segment, event, events.locate(segment, event, 0), entry.key));
            }
            budget.spendStep();
        }
        if (walk.isDone()) {
            phase = Phase.DUE;
        }
    }

    /** What can go neither now nor by a cap, and keeps nothing else, need not be remembered. */
    private void place(Entry entry) {
        Segment segment = entry.segment();
        shadow.add(segment, entry.location(), 1);
        segment.heads.include(entry.location());
        boolean isEligible = entry.location().range() != Range.INFINITE && segment.execution.isTerminal();
        if (isEligible && !shadow.isHeld() && (needsNeighbours() || isDue(entry))) {
            eligible.add(entry);
        }
    }

    private boolean needsNeighbours() {
        return hasCaps() || !policy.keepLast().value().isNone();
    }

    private boolean hasCaps() {
        return !policy.maxCount().value().isNone() || !policy.maxBytes().value().isNone();
    }

    private boolean isDue(Entry entry) {
        return RetentionDecider.isDue(entry.segment().facts(entry.event()), policy, nowMs);
    }

    private void takeDue(SweepBudget budget, RemovalListener listener) {
        while (!eligible.isEmpty() && !budget.isSpent()) {
            Entry entry = eligible.remove();
            Place place =
                    Place.WITHIN_CAPS.withNewer(eligible.size()).inExecution(shadow.rankForDecision(entry.segment()));
            if (decide(entry, place) instanceof Decision.Remove removal) {
                remove(entry, removal.cause(), listener);
            } else {
                left.add(entry);
            }
            budget.spendDelete();
        }
        if (eligible.isEmpty()) {
            shadow.forgetEmptied(nowMs, listener);
            phase = Phase.CAPS;
        }
    }

    private void takeOverCap(SweepBudget budget, RemovalListener listener) {
        for (; next < left.size() && isOverCap() && !budget.isSpent(); next++) {
            takeOverCap(left.get(next), listener);
            budget.spendDelete();
        }
        if (next == left.size() || !isOverCap()) {
            left.clear();
            phase = Phase.DONE;
        }
    }

    private boolean isOverCap() {
        return policy.isOverCap(shadow.totalEvents() - keptEvents, shadow.totalBytes() - keptBytes);
    }

    /** Nothing of the current execution goes, and what a guard keeps of another one keeps all of it that is younger. */
    private void takeOverCap(Entry entry, RemovalListener listener) {
        Segment segment = entry.segment();
        long rank = shadow.rankForDecision(segment);
        if (segment != current) {
            current = segment;
            isCurrentKept = rank == 1;
        }
        if (isCurrentKept) {
            return;
        }
        Place place = new Place(
                shadow.totalEvents(), shadow.totalBytes(), keptEvents, keptBytes, segment.eligibleEvents() - 1, rank);
        if (decide(entry, place) instanceof Decision.Remove removal) {
            remove(entry, removal.cause(), listener);
        } else {
            isCurrentKept = true;
            keptEvents += segment.eligibleEvents();
            keptBytes += segment.eligibleBytes();
        }
    }

    private Decision decide(Entry entry, Place place) {
        EventFacts facts = entry.segment().facts(entry.event());
        return RetentionDecider.decide(facts, place, policy, shadow.isHeld(), nowMs);
    }

    /** An event that has gone or moved since it was read is passed over. */
    private void remove(Entry entry, RemovalCause cause, RemovalListener listener) {
        Segment segment = entry.segment();
        byte[] value = events.store().get(entry.key());
        if (value != null) {
            events.remove(segment, entry.event(), entry.location());
            EventFacts facts = segment.facts(entry.event());
            listener.removed(shadow, new Removed(shadow.stream(), entry.event(), facts, cause, value));
        }
    }
}
