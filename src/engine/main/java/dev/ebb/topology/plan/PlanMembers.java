package dev.ebb.topology.plan;

import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.store.events.Removed;
import dev.ebb.store.plan.PlannedItem;
import dev.ebb.store.state.StreamState;
import java.util.Arrays;

/**
 * The list of a plan, against which a second dry run is held. Both go through the streams in the order in which these were
 * made, so the list is read once, a stream at a time. An event is known by the first 64 bits of its hash: that
 * one event is taken for another of ten million has a chance of one to 10^12. Not thread-safe.
 */
public final class PlanMembers implements PlanList {

    private final EventStore store;
    private final PlanPages pages;
    private PlanDigest planned = PlanDigest.NOTHING;
    private long[] members = new long[16];
    private int count;
    private int openSid = -1;
    private boolean isSorted;

    public PlanMembers(EventStore store, PlanBook book, String planId) {
        this.store = store;
        this.pages = new PlanPages(store, book, planId);
    }

    @Override
    public void beginSlice(long nowMs) {
        // nothing depends on the time
    }

    @Override
    public boolean open(StreamState stream, SweepBudget budget) {
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
            if (next == null || sid(next) > openSid) {
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
        if (sid(item) == openSid) {
            members = count == members.length ? Arrays.copyOf(members, 2 * count) : members;
            members[count++] = item.digest().a();
        }
        pages.take();
    }

    /** The number of the stream that has the name now; -1 if there is none. */
    private int sid(PlannedItem item) {
        StreamState stream = store.stream(item.stream());
        return stream == null ? -1 : stream.sid();
    }

    @Override
    public boolean takes(StreamState stream, Removed removed) {
        PlanDigest event = PlanDigest.of(
                stream.stream(), removed.event().id(), removed.event().storedAt());
        if (Arrays.binarySearch(members, 0, count, event.a()) < 0) {
            return true;
        }
        planned = planned.plus(event);
        return false;
    }

    @Override
    public PlanTally finish() {
        return PlanTally.done(planned);
    }
}
