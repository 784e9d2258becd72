package dev.ebb.topology.erase;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.layout.EventSieve;
import dev.ebb.store.plan.PlannedItem;
import dev.ebb.store.search.EventSearch;
import dev.ebb.store.search.Match;
import dev.ebb.store.search.MatchQueue;
import dev.ebb.topology.plan.PlanBook;
import dev.ebb.topology.plan.PlanPages;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Events that an erasure looks at: only those that its search finds, or those of its plan. Not thread-safe. */
final class EraseSource implements AutoCloseable {

    /** Largest number of events of a plan that are taken from its list at once. */
    private static final int MOST_TAKEN = 1000;

    private final MatchQueue queue;
    private final @Nullable EventSearch search;
    private final @Nullable PlanPages plan;
    private long taken;

    private EraseSource(MatchQueue queue, @Nullable EventSearch search, @Nullable PlanPages plan, long taken) {
        this.queue = queue;
        this.search = search;
        this.plan = plan;
        this.taken = taken;
    }

    /**
     * Returns the events of an erasure.
     *
     * @param queue takes the events
     * @param search place in the search; null for the beginning
     * @param at place in the plan; null for the beginning
     */
    public static EraseSource of(
            EraseTask task,
            PlanBook plans,
            MatchQueue queue,
            EventSearch.@Nullable At search,
            PlanPages.@Nullable At at) {
        EventSearch.At from = Objects.requireNonNullElse(search, EventSearch.At.FIRST);
        String planId = task.request().plan();
        if (planId != null) {
            PlanPages.At first = Objects.requireNonNullElse(at, PlanPages.At.FIRST);
            return new EraseSource(queue, null, new PlanPages(task.store(), plans, planId, first), from.read());
        }
        EventSieve sieve = new EventSieve(task.command().where());
        return new EraseSource(queue, task.store().search(sieve, task.command()::isAbout, queue, from), null, 0);
    }

    /** Continues until the budget ends it, or many events wait for their turns. */
    public void slice(SweepBudget budget) {
        if (search != null) {
            search.slice(budget);
        }
        while (plan != null && !budget.isSpent() && queue.size() < MOST_TAKEN) {
            PlannedItem next = plan.peek();
            if (next == null) {
                return;
            }
            queue.add(new Match(next.stream(), Objects.requireNonNull(next.id(), "no event"), next.number()));
            plan.take();
            taken++;
            budget.spendStep();
        }
    }

    /** Returns true if there are no more events. */
    public boolean isThrough() {
        return search == null ? plan == null || plan.peek() == null : search.isThrough();
    }

    /** Returns the number of events that were looked at. */
    public long read() {
        return search == null ? taken : search.read();
    }

    /** Returns the number of damaged events, which could not be looked at. */
    public long damaged() {
        return search == null ? 0 : search.damaged();
    }

    /** Returns the place in the search, with the number of events that were looked at. */
    public EventSearch.At search() {
        return search == null ? new EventSearch.At(0, null, taken, 0) : search.at();
    }

    /** Returns the place in the plan; null if there is none. */
    public PlanPages.@Nullable At at() {
        return plan == null ? null : plan.at();
    }

    /** Ends the search. Must be called last, since the search is notified of all writes until then. */
    @Override
    public void close() {
        if (search != null) {
            search.close();
        }
    }
}
