package dev.ebb.store.due;

import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.DueMark;
import dev.ebb.store.layout.Position;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The first events after a mark, up to a limit, that age and own TTLs take from many streams. Keeps no more events than
 * the limit, and reads no event of a stream that goes later than these. Used once, by one thread.
 */
public final class SoonestDue implements DueVisitor {

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

    @Override
    public long lastWantedMs(long untilMs) {
        Found last = found.size() < limit ? null : found.peek();
        return last == null ? untilMs : Math.min(untilMs, last.mark().lastMs());
    }

    @Override
    public @Nullable DueMark after() {
        return after;
    }

    /** Must be called at each look; returns false if no more looks are allowed. */
    @Override
    public boolean goesOn() {
        isBrokenOff |= !goesOn.getAsBoolean();
        return !isBrokenOff;
    }

    @Override
    public boolean mayWant(StreamName stream, long lastMs, Position position) {
        return mayWant(new DueMark(lastMs, stream, position.execution(), position.anchorMs(), position.seq()));
    }

    private boolean mayWant(DueMark mark) {
        Found last = found.size() < limit ? null : found.peek();
        return last == null || mark.compareTo(last.mark()) < 0;
    }

    @Override
    public boolean due(DueEvent event) {
        DueMark mark = event.mark();
        if ((after == null || mark.compareTo(after) > 0) && mayWant(mark)) {
            found.add(new Found(mark, new EventId(event.event().id())));
            if (found.size() > limit) {
                found.remove();
            }
        }
        return true;
    }
}
