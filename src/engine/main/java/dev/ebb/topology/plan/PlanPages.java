package dev.ebb.topology.plan;

import dev.ebb.store.EventStore;
import dev.ebb.store.plan.PlannedItem;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Pass through the items of a partition's part of a plan, page by page. Not thread-safe. */
public final class PlanPages {

    private final EventStore store;
    private final String planId;
    private final TreeMap<Integer, Integer> pages;
    private At at;
    private @Nullable List<PlannedItem> items;

    public PlanPages(EventStore store, PlanBook book, String planId) {
        this(store, book, planId, At.FIRST);
    }

    /** @param at the value that {@link #at} returned */
    public PlanPages(EventStore store, PlanBook book, String planId, At at) {
        this.store = store;
        this.planId = planId;
        this.at = at;
        PlanBook.Part part = book.part(planId);
        this.pages = new TreeMap<>(part == null ? Map.of() : part.pages());
    }

    /**
     * Place of an item.
     *
     * @param round the round of the dry run that listed it
     * @param page its page
     * @param item its place in the page
     */
    public record At(int round, int page, int item) {

        /** The first item of the first round. */
        public static final At FIRST = new At(0, 0, 0);
    }

    /** Returns the place of the first item that has not been taken. */
    public At at() {
        return at;
    }

    /** Returns the next item; null if there is none. */
    public @Nullable PlannedItem peek() {
        while (findPage()) {
            List<PlannedItem> known = items;
            if (known == null) {
                known = store.plans().get(planId, at.round(), at.page()).items();
                items = known;
            }
            if (at.item() < known.size()) {
                return known.get(at.item());
            }
            at = new At(at.round(), at.page() + 1, 0);
            items = null;
        }
        return null;
    }

    /** Moves to the next round if this one has no more pages; returns false if there are no more. */
    private boolean findPage() {
        Map.Entry<Integer, Integer> round = pages.ceilingEntry(at.round());
        while (round != null && (round.getKey() > at.round() || at.page() >= round.getValue())) {
            int next = round.getKey() > at.round() ? round.getKey() : at.round() + 1;
            at = new At(next, 0, 0);
            items = null;
            round = pages.ceilingEntry(next);
        }
        return round != null;
    }

    /** Moves past the item that was peeked at. */
    public void take() {
        at = new At(at.round(), at.page(), at.item() + 1);
    }
}
