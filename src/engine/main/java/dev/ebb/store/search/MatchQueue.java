package dev.ebb.store.search;

import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Matches in the order of their turns, each once. A match that waits longer than a slice is written down once, so that
 * it survives a crash. Not thread-safe.
 */
public final class MatchQueue {

    private final FoundEvents found;
    private final Set<Match> queue = new LinkedHashSet<>();

    /** The matches that are written down, in the queue or taken from it for their turn. */
    private final Set<Match> noted = new HashSet<>();

    /** The matches in the queue that are not written down. */
    private final Set<Match> unnoted = new LinkedHashSet<>();

    /** Creates a queue with the matches that a former task of the partition left. */
    public MatchQueue(FoundEvents found) {
        this.found = found;
        found.waiting().forEach(match -> {
            queue.add(match);
            noted.add(match);
        });
    }

    public int size() {
        return queue.size();
    }

    /** Adds a match whose turn may come in this slice. */
    public void add(Match match) {
        if (queue.add(match) && !noted.contains(match)) {
            unnoted.add(match);
        }
    }

    /** Adds a match outside of a slice, or one that cannot be decided yet, and writes it down. */
    public void addWaiting(Match match) {
        queue.add(match);
        unnoted.remove(match);
        note(match);
    }

    private void note(Match match) {
        if (noted.add(match)) {
            found.putWaiting(match);
        }
    }

    /** Takes the next match, which is then {@linkplain #settle settled} or added again; null if there is none. */
    public @Nullable Match poll() {
        Iterator<Match> matches = queue.iterator();
        if (!matches.hasNext()) {
            return null;
        }
        Match next = matches.next();
        matches.remove();
        unnoted.remove(next);
        return next;
    }

    /** Forgets a match whose turn has come. */
    public void settle(Match match) {
        if (!queue.contains(match) && noted.remove(match)) {
            found.removeWaiting(match);
        }
    }

    /** Writes down the matches whose turn did not come in the slice. */
    public void endSlice() {
        unnoted.forEach(this::note);
        unnoted.clear();
    }
}
