package dev.ebb.store.forecast;

import dev.ebb.store.layout.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the position up to which the events of one execution, taken in deletion order, add up to a given weight,
 * although they are shown in a different order. Each pass shows all of them and narrows the stretch that holds the cut
 * by a factor of some thousand, until the rest can be sorted in memory. So memory is bounded, whatever the number of
 * events, and the passes are few: two for ten million evenly spread events, twelve at worst. If events come or go
 * between two passes, the cut lies near its former place. Not thread-safe.
 */
public final class CutSearch {

    /** The number of positions that are sorted at once: about half a megabyte. */
    public static final int WINDOW = 8192;

    private final long execution;
    private final int window;
    private final List<Entry> entries = new ArrayList<>();

    /** The positions shown in this pass, if they exceed the window; null if they do not. */
    private @Nullable Buckets buckets;

    /**
     * The stretch that may hold the cut. The places in the order of arrival matter only if the stretch is a single
     * anchor.
     */
    private long fromAnchor;

    private long toAnchor = Long.MAX_VALUE;
    private long fromSeq;
    private long toSeq = Long.MAX_VALUE;

    /** The weight of all positions before the stretch. */
    private long before;

    private @Nullable Position cut;

    /** @param window the number of positions to sort at once, at least 1 */
    CutSearch(long execution, int window) {
        this.execution = execution;
        this.window = window;
    }

    private record Entry(Position position, long weight) {}

    /** Shows an event of the execution, once in each pass. */
    void show(Position position, long weight) {
        if (!isWithin(position)) {
            return;
        }
        if (buckets == null && entries.size() < window) {
            entries.add(new Entry(position, weight));
        } else {
            buckets().add(number(position), weight);
        }
    }

    private boolean isWithin(Position position) {
        return position.anchorMs() >= fromAnchor
                && position.anchorMs() <= toAnchor
                && (!isOneAnchor() || (position.seq() >= fromSeq && position.seq() <= toSeq));
    }

    private boolean isOneAnchor() {
        return fromAnchor == toAnchor;
    }

    private long number(Position position) {
        return isOneAnchor() ? position.seq() : position.anchorMs();
    }

    private Buckets buckets() {
        Buckets made = buckets;
        if (made == null) {
            made = new Buckets();
            for (Entry entry : entries) {
                made.add(number(entry.position()), entry.weight());
            }
            entries.clear();
            buckets = made;
        }
        return made;
    }

    /**
     * Ends a pass.
     *
     * @param amount the weight that must lie before the cut; a little more does if no cut has it exactly. Equal in all
     *     passes
     * @return true if the cut is known
     */
    boolean endPass(long amount) {
        if (buckets == null) {
            settle(amount);
            return true;
        }
        narrow(buckets.reaching(amount - before));
        buckets = null;
        return false;
    }

    private void narrow(Buckets.Bucket bucket) {
        before += bucket.before();
        if (isOneAnchor()) {
            fromSeq = Math.max(fromSeq, bucket.from());
            toSeq = Math.min(toSeq, bucket.to());
        } else {
            fromAnchor = Math.max(fromAnchor, bucket.from());
            toAnchor = Math.min(toAnchor, bucket.to());
        }
    }

    private void settle(long amount) {
        entries.sort(Comparator.comparing(Entry::position));
        Position reached = new Position(execution, fromAnchor, fromSeq);
        long sum = before;
        for (int i = 0; i < entries.size() && sum < amount; i++) {
            reached = entries.get(i).position().next();
            sum += entries.get(i).weight();
        }
        entries.clear();
        cut = reached;
    }

    /** Returns the first position that is not before the cut, once the cut is known. */
    Position cut() {
        return Objects.requireNonNull(cut);
    }
}
