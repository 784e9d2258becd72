package dev.ebb.topology.erase;

import dev.ebb.domain.erase.EraseRest;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.search.FoundEvents;
import dev.ebb.store.search.FoundFate;
import dev.ebb.store.search.Match;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.observe.Copies.Copy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removal of the copies that one partition has of erased events, except those of held streams. The fate of each copy is
 * noted, so that a search that starts over after a crash counts none twice. No audit record names the copies: that of
 * their first delete does, and another one would keep the ids of a person who asked to be forgotten for longer. Not
 * thread-safe.
 */
final class CopyErasure implements AutoCloseable {

    private static final int BATCH = 256;

    private final EraseTask task;
    private final FoundEvents found;
    private final Copies.Search search;

    /** Begins a search for copies of events that the erasure means. */
    public CopyErasure(EraseTask task, FoundEvents found, int partition) {
        this.task = task;
        this.found = found;
        var guard = task.outbox().trash().book().marks().guard();
        this.search = task.copies().search(partition, guard, task);
    }

    /** Returns the reason why the copies cannot be read; null if there is none. */
    public @Nullable String problem() {
        return search.problem();
    }

    /** Returns the copies that cannot be read; complete once the search is done. */
    public List<EraseRest.Unread> unread() {
        return search.unread();
    }

    /** Returns the rejected records that match, or may; complete once the search is done. */
    public List<EraseRest.Rejected> rejected() {
        return search.rejected();
    }

    /** Continues as far as the budget goes and copies were found; returns true if none is left. */
    public boolean slice(long nowMs, SweepBudget budget) {
        List<Copy> next = List.of();
        do {
            next.forEach(copy -> erase(copy, nowMs, budget));
            next = budget.isSpent() ? List.of() : search.take(BATCH);
        } while (!next.isEmpty());
        return search.isDone();
    }

    private void erase(Copy copy, long nowMs, SweepBudget budget) {
        Match event = new Match(copy.stream(), copy.id(), copy.storedAt());
        FoundFate known = found.find(event);
        budget.spendDelete();
        if (known == null && task.isPlanned()) {
            // The copy is of an event that the plan does not name.
            return;
        }
        FoundFate fate = known == null ? FoundFate.NONE : known;
        int kind = 1 << copy.kind().ordinal();
        if (task.policies().get().isHeld(copy.stream())) {
            found.put(event, fate.copyHeld(kind));
        } else {
            found.put(event, fate.copyErased(kind));
            if (!task.isDryRun()) {
                task.outbox().eraseCopy(copy, nowMs);
            }
        }
    }

    @Override
    public void close() {
        search.close();
    }
}
