package dev.ebb.store.due;

import dev.ebb.domain.event.EventId;
import dev.ebb.domain.retention.DueMark;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The first events after a mark, up to a limit, that age and own TTLs take from many streams. Keeps no more events than
 * the limit, and reads no event of a stream that goes later than these. Used once, by one thread.
 */
public final class SoonestDue {

    private final int limit;
    private final @Nullable DueMark after;
    private final BooleanSupplier goesOn;
    private final PriorityQueue<Found> found = new PriorityQueue<>(Comparator.reverseOrder());
    private boolean isBrokenOff;

    /**
     * @param limit the most events, at least 1
     * @param after only events after this mark; null for all
     * @param goesOn asked at each look at a stream or an event; false breaks off the search
     */
    public SoonestDue(int limit, @Nullable DueMark after, BooleanSupplier goesOn) {
        this.limit = limit;
        this.after = after;
        this.goesOn = goesOn;
    }

    /** A found event and its place. */
    public record Found(DueMark mark, EventId id) implements Comparable<Found> {

        @Override
        public int compareTo(Found other) {
            return mark.compareTo(other.mark);
        }
    }

    /** Returns the found events, soonest first. */
    public List<Found> found() {
        return found.stream().sorted().toList();
    }

    /** Returns true if the search was broken off, so that the found events need not be the first. */
    public boolean isBrokenOff() {
        return isBrokenOff;
    }

    /** Returns the last millisecond from which events are still wanted; at most {@code untilMs}. */
    public long lastWantedMs(long untilMs) {
        Found last = found.size() < limit ? null : found.peek();
        return last == null ? untilMs : Math.min(untilMs, last.mark().lastMs());
    }

    @Nullable
    DueMark after() {
        return after;
    }

    /** Must be called at each look; returns false if no more looks are allowed. */
    public boolean look() {
        isBrokenOff |= !goesOn.getAsBoolean();
        return !isBrokenOff;
    }

    /** Returns true if an event at or after this mark may still be wanted. */
    boolean mayWant(DueMark mark) {
        Found last = found.size() < limit ? null : found.peek();
        return last == null || mark.compareTo(last.mark()) < 0;
    }

    public void offer(DueMark mark, String id) {
        if ((after != null && mark.compareTo(after) <= 0) || !mayWant(mark)) {
            return;
        }
        found.add(new Found(mark, new EventId(id)));
        if (found.size() > limit) {
            found.remove();
        }
    }
}
