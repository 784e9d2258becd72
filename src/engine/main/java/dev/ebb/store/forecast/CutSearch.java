package dev.ebb.store.forecast;

import dev.ebb.store.layout.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the position up to which the events of one execution, taken in deletion order, add up to a given weight,
 * although they are shown in a different order. Each pass shows all of them. As many as the window holds are sorted at
 * its end; if they are more, the first pass finds between which times they lie, and each further one narrows the stretch
 * that holds the cut by a factor of some thousand. So memory is bounded, whatever the number of events, and the passes
 * are few: three for ten million evenly spread events, twelve at worst. If events come or go between two passes, the cut
 * lies near its former place. Not thread-safe.
 */
public final class CutSearch {

    /** The number of positions that are sorted at once: about a megabyte. */
    static final int WINDOW = 1 << 14;

    private static final int BUCKETS = 1 << 14;

    private final long execution;
    private final int window;
    private final List<Entry> entries = new ArrayList<>();
    private boolean isFirstPass = true;
    private boolean isTooMany;
    private long total;

    /** The weights in equal parts of the stretch; null in the first pass. */
    private long @Nullable [] buckets;

    /** The stretch that may hold the cut. The places in the order of arrival matter only within a single anchor. */
    private Stretch anchors = Stretch.ALL;

    private Stretch seqs = Stretch.ALL;

    /** The weight of all positions before the stretch. */
    private long before;

    private @Nullable Position cut;

    public CutSearch(long execution) {
        this(execution, WINDOW);
    }

    /** @param window the number of positions to sort at once, at least 1 */
    CutSearch(long execution, int window) {
        this.execution = execution;
        this.window = window;
    }

    private record Entry(Position position, long weight) {}

    /** Numbers from one to another, both inclusive. */
    private record Stretch(long from, long to) {

        static final Stretch ALL = new Stretch(0, Long.MAX_VALUE);
        static final Stretch NONE = new Stretch(Long.MAX_VALUE, 0);

        boolean has(long number) {
            return number >= from && number <= to;
        }

        Stretch with(long number) {
            return has(number) ? this : new Stretch(Math.min(from, number), Math.max(to, number));
        }

        boolean isOne() {
            return from == to;
        }

        private long width() {
            return (to - from) / BUCKETS + 1;
        }

        int bucketOf(long number) {
            return (int) ((number - from) / width());
        }

        Stretch bucket(int index) {
            long begin = from + index * width();
            return new Stretch(begin, begin > to - width() ? to : begin + width() - 1);
        }
    }

    /** Shows an event of the execution, once in each pass. */
    public void show(Position position, long weight) {
        if (isFirstPass) {
            total += weight;
            boolean isAny = isTooMany || !entries.isEmpty();
            anchors = (isAny ? anchors : Stretch.NONE).with(position.anchorMs());
            seqs = (isAny ? seqs : Stretch.NONE).with(position.seq());
        } else if (!anchors.has(position.anchorMs()) || (anchors.isOne() && !seqs.has(position.seq()))) {
            return;
        }
        if (entries.size() < window) {
            entries.add(new Entry(position, weight));
        } else {
            isTooMany = true;
        }
        long[] weights = buckets;
        if (weights != null) {
            weights[stretch().bucketOf(anchors.isOne() ? position.seq() : position.anchorMs())] += weight;
        }
    }

    private Stretch stretch() {
        return anchors.isOne() ? seqs : anchors;
    }

    /** Returns the weight of all events, once the first pass has shown them. */
    public long total() {
        return total;
    }

    /**
     * Ends a pass.
     *
     * @param wanted the weight that must lie before the cut; a little more does if no cut has it exactly, and all does if
     *     it is less. Equal in all passes
     * @return true if the cut is known
     */
    public boolean endPass(long wanted) {
        long amount = Math.min(wanted, total);
        boolean isKnown = !isTooMany || amount <= before || stretch().isOne();
        if (isKnown) {
            settle(amount);
        } else if (buckets != null) {
            narrow(buckets, amount);
        }
        buckets = isKnown ? null : new long[BUCKETS];
        entries.clear();
        isFirstPass = false;
        isTooMany = false;
        return isKnown;
    }

    /** Narrows the stretch to the bucket in which the sum of the weights reaches the amount; to the last if none does. */
    private void narrow(long[] weights, long amount) {
        int last = stretch().bucketOf(stretch().to());
        int index = 0;
        while (index < last && before + weights[index] < amount) {
            before += weights[index];
            index++;
        }
        if (anchors.isOne()) {
            seqs = seqs.bucket(index);
        } else {
            anchors = anchors.bucket(index);
        }
    }

    private void settle(long amount) {
        entries.sort(Comparator.comparing(Entry::position));
        Position reached = new Position(execution, amount <= 0 ? 0 : anchors.from(), amount <= 0 ? 0 : seqs.from());
        long sum = before;
        for (int i = 0; i < entries.size() && sum < amount; i++) {
            reached = entries.get(i).position().next();
            sum += entries.get(i).weight();
        }
        cut = reached;
    }

    /** Returns the first position that is not before the cut, once the cut is known. */
    public Position cut() {
        return Objects.requireNonNull(cut);
    }
}
