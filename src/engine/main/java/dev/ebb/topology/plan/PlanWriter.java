package dev.ebb.topology.plan;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.plan.PlanPage;
import dev.ebb.store.plan.PlannedItem;
import dev.ebb.store.plan.PlannedStream;
import dev.ebb.store.state.StreamState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writer of the list that a dry run makes in one partition, a page at a time. A dry run that starts over overwrites the
 * pages of its first try. Not thread-safe.
 */
public final class PlanWriter implements RemovalListener, PlanList {

    private final EventStore store;
    private final PlanBook book;
    private final String planId;
    private final int round;
    private PlanPage page = new PlanPage();
    private int pages;
    private PlanDigest digest = PlanDigest.NOTHING;
    private long nowMs;
    private @Nullable Mark mark;

    /** @param round number that distinguishes the pieces of work of one dry run in a partition */
    public PlanWriter(EventStore store, String planId, int round) {
        this.store = store;
        this.book = new PlanBook(store);
        this.planId = planId;
        this.round = round;
    }

    @Override
    public void beginSlice(long sliceMs) {
        nowMs = sliceMs;
    }

    @Override
    public boolean open(StreamState stream, SweepBudget budget) {
        return true;
    }

    @Override
    public boolean close(SweepBudget budget) {
        return true;
    }

    @Override
    public boolean takes(StreamState stream, Removed removed, EffectivePolicy policy) {
        removed(stream, removed);
        return true;
    }

    /** Place where a part of a stream began, in case it starts over. */
    private record Mark(String part, List<PlannedItem> items, int pages, PlanDigest digest) {}

    @Override
    public void began(StreamState stream, long execution) {
        String part = stream.sid() + "/" + execution;
        Mark known = mark;
        if (known != null && known.part().equals(part)) {
            page = PlanPage.of(known.items());
            pages = known.pages();
            digest = known.digest();
        } else {
            mark = new Mark(part, page.items(), pages, digest);
        }
    }

    @Override
    public void removed(StreamState stream, Removed removed) {
        add(new PlannedItem(
                stream.stream(),
                stream.sid(),
                removed.event().id(),
                removed.event().storedAt(),
                removed.cause()));
    }

    /** Lists the execution. A sweep takes executions by age even if not planned, since they hold no events then. */
    @Override
    public void executionRemoved(StreamState stream, Execution execution) {
        add(new PlannedItem(stream.stream(), stream.sid(), null, execution.number(), RemovalCause.PRUNE));
    }

    /** Lists a whole stream with its present events. */
    public void add(StreamState stream, PlanDigest events) {
        store.plans().put(planId, stream.stream(), new PlannedStream(stream.sid(), stream.nextSeq(), events));
        digest = digest.plus(events);
    }

    /** Lists an item. */
    public void add(PlannedItem item) {
        page.add(item);
        digest = digest.plus(item.digest());
        if (page.isFull()) {
            flush();
        }
    }

    private void flush() {
        store.plans().put(planId, round, pages, page);
        pages++;
        page = new PlanPage();
        book.savePart(planId, round, pages, nowMs);
    }

    /** Writes the remaining items; returns the tally. */
    @Override
    public PlanTally finish() {
        if (!page.isEmpty()) {
            flush();
        } else if (digest.events() > 0) {
            book.savePart(planId, round, pages, nowMs);
        }
        return PlanTally.planned(digest);
    }
}
