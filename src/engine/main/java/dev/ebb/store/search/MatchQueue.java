package dev.ebb.store.search;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Matches in the order in which their turns come, each once. One that waits longer than a slice is written down, so that
 * it outlasts a crash. Not thread-safe.
 */
public final class MatchQueue {

    private final FoundEvents found;

    /** True for those that are written down. */
    private final Map<Match, Boolean> queue = new LinkedHashMap<>();

    /** Begins with those that were left when the partition's former task ended. */
    public MatchQueue(FoundEvents found) {
        this.found = found;
        found.waiting().forEach(match -> queue.put(match, true));
    }

    public int size() {
        return queue.size();
    }

    /** Adds a match whose turn may come in this slice. */
    public void add(Match match) {
        queue.putIfAbsent(match, false);
    }

    /** Adds a match outside of a slice, or one that cannot be decided about yet. */
    public void addWaiting(Match match) {
        if (!Boolean.TRUE.equals(queue.put(match, true))) {
            found.putWaiting(match);
        }
    }

    /** Takes the next match; null if there is none. */
    public @Nullable Match poll() {
        if (queue.isEmpty()) {
            return null;
        }
        Map.Entry<Match, Boolean> next = queue.entrySet().iterator().next();
        Match match = next.getKey();
        if (next.getValue()) {
            found.removeWaiting(match);
        }
        queue.remove(match);
        return match;
    }

    /** Writes down those whose turn did not come in the slice. */
    public void endSlice() {
        queue.entrySet().stream().filter(entry -> !entry.getValue()).forEach(entry -> {
            found.putWaiting(entry.getKey());
            entry.setValue(true);
        });
    }
}
