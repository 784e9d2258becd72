package dev.ebb.store.due;

import dev.ebb.domain.event.EventId;
import dev.ebb.domain.retention.DueMark;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The first so many events that age and own TTLs take of many streams, behind a mark. No more of them are kept than
 * asked for, and no event of a stream is read that goes later than those. Used once, by one thread.
 */
public final class SoonestDue {

    private final int limit;
    private final @Nullable DueMark after;
    private final BooleanSupplier goesOn;
    private final PriorityQueue<Found> found = new PriorityQueue<>(Comparator.reverseOrder());
    private boolean isBrokenOff;

    /**
     * @param limit the most events, at least 1
     * @param after only events behind this mark; null for all
     * @param goesOn asked at each look at a stream or an event; false breaks the search off
     */
    public SoonestDue(int limit, @Nullable DueMark after, BooleanSupplier goesOn) {
        this.limit = limit;
        this.after = after;
        this.goesOn = goesOn;
    }

    /** An event that was found, and its place. */
    public record Found(DueMark mark, EventId id) implements Comparable<Found> {

        @Override
        public int compareTo(Found other) {
            return mark.compareTo(other.mark);
        }
    }

    /** The events that were found, the soonest first. */
    public List<Found> found() {
        return found.stream().sorted().toList();
    }

    /** Returns true if not everything was looked at, so that the events found need not be the first. */
    public boolean isBrokenOff() {
        return isBrokenOff;
    }

    /** The last millisecond of which events are still wanted; no later than the one that is asked for. */
    public long lastWantedMs(long untilMs) {
        Found last = found.size() < limit ? null : found.peek();
        return last == null ? untilMs : Math.min(untilMs, last.mark().lastMs());
    }

    @Nullable
    DueMark after() {
        return after;
    }

    /** To be called at each look; returns false if there must be no more looks. */
    public boolean look() {
        isBrokenOff |= !goesOn.getAsBoolean();
        return !isBrokenOff;
    }

    /** Returns true if an event there, or one behind it, may be one of those that are wanted. */
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
