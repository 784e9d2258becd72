package dev.ebb.topology.plan;

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
import org.jspecify.annotations.Nullable;

/**
 * The list of a plan, against which a second dry run is held, which is made later. An event that was due at the sweep
 * point of the plan and is not in it is a finding. One that has fallen due by its age or own TTL since is counted
 * apart, and one of a stream whose policy stays as it is goes without the file as well. Both dry runs go through the
 * streams in the order in which these were made, so the list is read once, a stream at a time. An event is known by the
 * first 64 bits of its hash: that one event is taken for another of ten million has a chance of one to 10^12. Not
 * thread-safe.
 */
public final class PlanMembers implements PlanList {

    private final EventStore store;
    private final PlanPages pages;
    private final long pointMs;
    private PlanDigest planned = PlanDigest.NOTHING;
    private PlanDigest dueSince = PlanDigest.NOTHING;
    private long[] members = new long[16];
    private int count;
    private int openSid = -1;

    /** The policy that the stream goes by without the file. */
    private @Nullable EffectivePolicy inForce;

    private boolean isSorted;

    /** @param pointMs the sweep point of the plan, epoch milliseconds */
    public PlanMembers(EventStore store, PlanBook book, String planId, long pointMs) {
        this.store = store;
        this.pages = new PlanPages(store, book, planId);
        this.pointMs = pointMs;
    }

    @Override
    public void beginSlice(long nowMs) {
        // nothing depends on the time
    }

    @Override
    public boolean open(StreamState stream, SweepBudget budget) {
        inForce = stream.policy();
        if (openSid != stream.sid()) {
            openSid = stream.sid();
            count = 0;
            isSorted = false;
        }
        while (!isSorted) {
            if (budget.isSpent()) {
                return false;
            }
            PlannedItem next = pages.peek();
            if (next == null || sidOf(next) > openSid) {
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
        if (sidOf(item) == openSid) {
            members = count == members.length ? Arrays.copyOf(members, 2 * count) : members;
            members[count++] = item.digest().a();
        }
        pages.take();
    }

    /**
     * The number of the stream when it was listed: the list is in its order, and what has the name now may be another
     * stream. Pages of former versions have the name only.
     */
    private int sidOf(PlannedItem item) {
        StreamState stream = item.sid() == PlannedItem.NO_SID ? store.stream(item.stream()) : null;
        return stream == null ? item.sid() : stream.sid();
    }

    @Override
    public boolean takes(StreamState stream, Removed removed, EffectivePolicy policy) {
        // It goes without the file as well: of a stream that is over its cap all the time, others each second.
        boolean goesAnyway = policy.equals(inForce);
        if (goesAnyway && count == 0) {
            return false;
        }
        PlanDigest event = PlanDigest.of(
                stream.stream(), removed.event().id(), removed.event().storedAt());
        if (Arrays.binarySearch(members, 0, count, event.a()) >= 0) {
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

    /** A cap goes by what is stored, and not by the time. */
    private boolean isDueSince(Removed removed, EffectivePolicy policy) {
        return !removed.cause().isCap()
                && !RetentionDecider.isPast(RetentionDecider.removableAtMs(removed.facts(), policy), pointMs);
    }

    /** The planned events that would go, as those that went, and those that have fallen due since, as those of a list. */
    @Override
    public PlanTally finish() {
        return PlanTally.done(planned).plus(PlanTally.planned(dueSince));
    }
}
