package dev.ebb.topology.assess;

import dev.ebb.domain.policy.change.NamespaceLoss;
import dev.ebb.store.layout.NamespaceTotals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Losses of one partition by namespace, up to a limit on their sum. Not thread-safe. */
public final class NamespaceLosses {

    /** Most namespaces in one answer: with the longest names they take less than half of the largest record. */
    public static final int MOST_LISTED = 1000;

    private final Map<String, Long> byNamespace = new HashMap<>();
    private final long limit;
    private long sum;

    /** @param limit the most events to count */
    public NamespaceLosses(long limit) {
        this.limit = limit;
    }

    /** Adds events of a namespace. */
    public void add(String namespace, long events) {
        if (events > 0) {
            byNamespace.merge(namespace, events, Long::sum);
            sum += events;
        }
    }

    /** Returns the number of events of all namespaces. */
    public long sum() {
        return sum;
    }

    /** Returns the number of events that are still to be counted; 0 at the limit. */
    long left() {
        return Math.max(0, limit - sum);
    }

    /**
     * Lists the namespaces that the change concerns, the {@linkplain NamespaceLoss#largest largest} if there are too many.
     *
     * @param totals the totals of all namespaces
     */
    public List<NamespaceLoss> list(Map<String, NamespaceTotals> totals, Predicate<String> isConcerned) {
        List<NamespaceLoss> all = new ArrayList<>();
        totals.forEach((name, held) -> {
            if (isConcerned.test(name)) {
                all.add(new NamespaceLoss(name, byNamespace.getOrDefault(name, 0L), held.events()));
            }
        });
        // A namespace that has been emptied since has no totals.
        byNamespace.forEach((name, lost) -> {
            if (!totals.containsKey(name) && isConcerned.test(name)) {
                all.add(new NamespaceLoss(name, lost, 0));
            }
        });
        return NamespaceLoss.largest(all, MOST_LISTED);
    }
}
