package dev.ebb.topology.erase;

import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.observe.Copies.Copy;
import dev.ebb.topology.removal.Outbox;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes away the copies that one partition has of events that are erased, those of held streams aside. Not thread-safe. */
public final class CopyErasure implements AutoCloseable {

    private static final int BATCH = 256;

    private final Outbox outbox;
    private final Supplier<PolicySet> policies;
    private final EraseTally tally;
    private final Copies.Search search;
    private final boolean isDryRun;

    /** @param isMeant tells the events whose copies go */
    public CopyErasure(
            Copies copies,
            Outbox outbox,
            int partition,
            Supplier<PolicySet> policies,
            Predicate<Event> isMeant,
            EraseTally tally,
            boolean isDryRun) {
        this.outbox = outbox;
        this.policies = policies;
        this.tally = tally;
        this.isDryRun = isDryRun;
        this.search = copies.search(partition, isMeant);
    }

    /** Reason why the copies cannot be read; null if there is none. */
    public @Nullable String problem() {
        return search.problem();
    }

    /** Goes on as far as the budget goes and copies were found; returns true if none is left. */
    public boolean slice(long nowMs, SweepBudget budget) {
        List<Copy> found = List.of();
        do {
            found.forEach(copy -> erase(copy, nowMs, budget));
            found = budget.isSpent() ? List.of() : search.take(BATCH);
        } while (!found.isEmpty());
        return search.isDone();
    }

    private void erase(Copy copy, long nowMs, SweepBudget budget) {
        StreamName stream = copy.stream();
        PolicySet inForce = policies.get();
        budget.spendDelete();
        if (inForce.isHeld(stream)) {
            tally.left(
                    stream,
                    Refusal.HELD,
                    inForce.holdsOn(stream).stream().map(Hold::caseId).toList());
        } else if (!copy.isAlone()) {
            tally.copyLeft();
        } else {
            tally.copy();
            if (!isDryRun) {
                outbox.eraseCopy(copy, nowMs);
            }
        }
    }

    @Override
    public void close() {
        search.close();
    }
}
