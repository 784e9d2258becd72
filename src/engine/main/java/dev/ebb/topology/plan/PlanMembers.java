package dev.ebb.topology.plan;

import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.store.events.Removed;
import dev.ebb.store.plan.PlannedItem;
import dev.ebb.store.state.StreamState;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * List of a plan, with which a later, second dry run is compared. An event that was due at the sweep point of the plan
 * and is not in the plan is a finding. An event that has fallen due since by its age or own TTL is counted separately,
 * and an event of a stream whose policy stays as it is goes without the file as well. A planned event that would no
 * longer go is left out, and counted by its reason. Both dry runs go through the streams in the order in which these
 * were made, so the list is read a stream at a time, once, and a second time for a stream of which something stays. An
 * event is identified by the first 64 bits of its hash: the chance that one event is mistaken for another of ten
 * million is one in 10^12. Not thread-safe.
 */
public final class PlanMembers implements PlanList {

    private final EventStore store;
    private final PlanBook book;
    private final String planId;
    private final PlanPages pages;
    private final long pointMs;
    private final PlanReasons reasons;
    private final Map<LeftOut, Long> left = new EnumMap<>(LeftOut.class);
    private final BitSet found = new BitSet();
    private PlanDigest planned = PlanDigest.NOTHING;
    private PlanDigest dueSince = PlanDigest.NOTHING;
    private long[] members = new long[16];
    private int count;
    private int openSid = -1;

    /** Place of the first item of the stream that is open. */
    private PlanPages.At begin = PlanPages.At.FIRST;

    /** Second pass through the items of a stream of which something stays; null while there is no such stream. */
    private @Nullable PlanPages again;

    /** Policy of the stream without the file. */
    private @Nullable EffectivePolicy inForce;

    private boolean isSorted;
    private long nowMs;

    /**
     * @param pointMs the sweep point of the plan, epoch milliseconds
     * @param reasons finds the reason why an event of the plan stays
     */
    public PlanMembers(EventStore store, PlanBook book, String planId, long pointMs, PlanReasons reasons) {
        this.store = store;
        this.book = book;
        this.planId = planId;
        this.pages = new PlanPages(store, book, planId);
        this.pointMs = pointMs;
        this.reasons = reasons;
    }

    @Override
    public void beginSlice(long sliceMs) {
        nowMs = sliceMs;
    }

    @Override
    public boolean open(StreamState stream, SweepBudget budget) {
        inForce = stream.policy();
        if (openSid != stream.sid()) {
            if (!leaveOut(budget)) {
                return false;
            }
            openSid = stream.sid();
            count = 0;
            isSorted = false;
        }
        while (!isSorted) {
            if (budget.isSpent()) {
                return false;
            }
            PlannedItem next = pages.peek();
            if (next == null || next.sid() > openSid) {
                Arrays.sort(members, 0, count);
                isSorted = true;
            } else {
                take(next);
                budget.spendStep();
            }
        }
        return true;
    }

    private void take(PlannedItem item) {
        if (item.sid() != openSid) {
            leaveOut(item);
        } else if (item.id() != null) {
            begin = count == 0 ? pages.at() : begin;
            members = count == members.length ? Arrays.copyOf(members, 2 * count) : members;
            members[count++] = item.digest().a();
        }
        pages.take();
    }

    @Override
    public boolean takes(StreamState stream, Removed removed, EffectivePolicy policy) {
        // The event goes without the file as well: a stream that is always over its cap loses other events each second.
        boolean goesAnyway = policy.equals(inForce);
        if (goesAnyway && count == 0) {
            return false;
        }
        PlanDigest event = PlanDigest.of(
                stream.stream(), removed.event().id(), removed.event().storedAt());
        int member = member(event);
        if (member >= 0) {
            found.set(member);
            planned = planned.plus(event);
            return false;
        }
        if (goesAnyway) {
            return false;
        }
        if (isDueSince(removed, policy)) {
            dueSince = dueSince.plus(event);
            return false;
        }
        return true;
    }

    /** Returns the place of the event among those of the open stream; negative if the event is not in the plan. */
    private int member(PlanDigest event) {
        return Arrays.binarySearch(members, 0, count, event.a());
    }

    /** Returns true if the event has fallen due since the plan. A cap depends on the stored events, not on the time. */
    private boolean isDueSince(Removed removed, EffectivePolicy policy) {
        return !removed.cause().isCap()
                && !RetentionDecider.isPast(RetentionDecider.removableAtMs(removed.facts(), policy), pointMs);
    }

    /** Leaves out the planned events of the open stream that were not found; returns false if the budget ended this. */
    private boolean leaveOut(SweepBudget budget) {
        if (found.cardinality() < count) {
            PlanPages items = again == null ? new PlanPages(store, book, planId, begin) : again;
            again = items;
            for (PlannedItem next = items.peek(); next != null && next.sid() == openSid; next = items.peek()) {
                if (budget.isSpent()) {
                    return false;
                }
                if (next.id() != null && !found.get(member(next.digest()))) {
                    leaveOut(next);
                }
                items.take();
                budget.spendStep();
            }
        }
        again = null;
        count = 0;
        found.clear();
        return true;
    }

    private void leaveOut(PlannedItem item) {
        if (item.id() != null) {
            left.merge(reasons.of(item, nowMs), 1L, Long::sum);
        }
    }

    @Override
    public boolean close(SweepBudget budget) {
        if (!leaveOut(budget)) {
            return false;
        }
        for (PlannedItem next = pages.peek(); next != null; next = pages.peek()) {
            if (budget.isSpent()) {
                return false;
            }
            leaveOut(next);
            pages.take();
            budget.spendStep();
        }
        return true;
    }

    /**
     * Returns the planned events that would go, as those that went; the events that have fallen due since, as those of
     * a list; and the planned events that stay.
     */
    @Override
    public PlanTally finish() {
        return new PlanTally(dueSince, planned, left);
    }
}
