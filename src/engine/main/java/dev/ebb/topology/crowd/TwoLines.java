package dev.ebb.topology.crowd;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Work that is ready, in two lines: small work passes big work, but only so often in a row, so that neither line ever
 * waits for the other to end. Each line keeps its order. Not thread-safe.
 *
 * @param <T> the work; compared with equals
 */
public final class TwoLines<T> {

    /** Most small pieces in a row while big ones wait: together they take less time than one slice of a big one. */
    static final int SMALL_IN_A_ROW = 16;

    private final Predicate<T> isSmall;
    private final Set<T> small = new LinkedHashSet<>();
    private final Set<T> big = new LinkedHashSet<>();
    private int inRow;

    /** @param isSmall returns the same answer for a piece of work each time */
    public TwoLines(Predicate<T> isSmall) {
        this.isSmall = isSmall;
    }

    /** Adds the work at the end of its line, unless it is in the line already. */
    public void add(T work) {
        lineOf(work).add(work);
    }

    public void addAll(Collection<? extends T> works) {
        works.forEach(this::add);
    }

    public void remove(T work) {
        lineOf(work).remove(work);
    }

    public boolean isEmpty() {
        return small.isEmpty() && big.isEmpty();
    }

    /** Removes and returns the work whose turn it is; there must be some. */
    public T next() {
        boolean isTurnOfSmall = big.isEmpty() || (!small.isEmpty() && inRow < SMALL_IN_A_ROW);
        Set<T> line = isTurnOfSmall ? small : big;
        T first = line.iterator().next();
        line.remove(first);
        inRow = isTurnOfSmall ? Math.min(inRow + 1, SMALL_IN_A_ROW) : 0;
        return first;
    }

    /** Notes that the last piece has used up the time of a slice: if it was a small one, a big one is next. */
    public void usedUp() {
        inRow = inRow > 0 ? SMALL_IN_A_ROW : 0;
    }

    private Set<T> lineOf(T work) {
        return isSmall.test(work) ? small : big;
    }
}
