package dev.ebb.store.forecast;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.retention.Place;
import dev.ebb.store.layout.Position;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A forecast of the events that the caps would take from a shadow of a stream whose events are not read in the order in
 * which they would go: a stretch from the first event on, without the events that a guard keeps. Adding up each
 * execution shows in which one the stretch ends; a search then finds the place. Not thread-safe.
 */
final class CapForecast {

    /** The place of an event that every cap takes, if no guard keeps it. */
    static final Place OVER_ALL_CAPS = new Place(Long.MAX_VALUE, Long.MAX_VALUE, 0, 0);

    private final StreamState shadow;
    private final EffectivePolicy policy;
    private final int window;
    private final Map<Long, Tally> tallies = new HashMap<>();
    private final Cut byCount;
    private final Cut byBytes;

    CapForecast(StreamState shadow, int window) {
        this.shadow = shadow;
        this.policy = shadow.policy();
        this.window = window;
        // If there is only one execution, the first pass already shows the events that the search needs.
        boolean isShownEarly = shadow.executions() == null;
        this.byCount = new Cut(policy.mostEvents(), isShownEarly);
        this.byBytes = new Cut(policy.mostBytes(), isShownEarly);
    }

    /** The events of one execution that age and own TTLs leave, and the loose ones among them, which may go. */
    private static final class Tally {
        long leftEvents;
        long leftBytes;
        long looseEvents;
        long looseBytes;
    }

    /**
     * Counts an event that age and own TTL leave.
     *
     * @param isLoose true if no guard keeps the event, and its execution is not the current one
     */
    void add(Segment segment, Position position, long bytes, boolean isLoose) {
        if (byCount.cap.isNone() && byBytes.cap.isNone()) {
            return;
        }
        Tally tally = tallies.computeIfAbsent(segment.number(), number -> new Tally());
        tally.leftEvents++;
        tally.leftBytes += bytes;
        if (isLoose) {
            tally.looseEvents++;
            tally.looseBytes += bytes;
            show(position, bytes);
        }
    }

    /**
     * Determines in which executions the caps end, after all events are counted; returns true if the caps take
     * anything.
     */
    boolean plan() {
        long events = shadow.totalEvents();
        long bytes = shadow.totalBytes();
        for (Segment segment : shadow.segments()) {
            Tally tally = tallies.get(segment.number());
            long rank = shadow.rankForDecision(segment);
            if (tally == null || rank == 1) {
                continue;
            }
            if (!policy.isOverCap(events, bytes) || !(isKept(rank) || isEmptied(segment, tally, events, bytes))) {
                break;
            }
            // Events that a guard keeps count like events that go: the caps take the next ones instead.
            events -= tally.leftEvents;
            bytes -= tally.leftBytes;
        }
        tallies.clear();
        byCount.beginSearch();
        byBytes.beginSearch();
        return byCount.takesAny || byBytes.takesAny;
    }

    private boolean isKept(long rank) {
        Limit keepLast = policy.keepLast().value();
        return rank != Place.NO_EXECUTIONS && !keepLast.isNone() && rank <= keepLast.value();
    }

    /** Returns true if all events of the execution go except those that a guard keeps; otherwise the caps end in it. */
    private boolean isEmptied(Segment segment, Tally tally, long events, long bytes) {
        return byCount.reach(segment.number(), events, tally.looseEvents)
                || byBytes.reach(segment.number(), bytes, tally.looseBytes);
    }

    /** Returns true if the loose events up to {@link #lastExecution} must be shown once more. */
    boolean isSearching() {
        return byCount.search != null || byBytes.search != null;
    }

    /** Shows a loose event to the search. */
    void show(Position position, long bytes) {
        byCount.show(position, 1);
        byBytes.show(position, bytes);
    }

    /** Ends a pass that has shown all events that the search needs. */
    void endPass() {
        byCount.endPass();
        byBytes.endPass();
    }

    /** Returns the last execution from which anything goes. */
    long lastExecution() {
        return Math.max(byCount.lastExecution, byBytes.lastExecution);
    }

    /**
     * Returns the place of an event at this position, once the search is over: beyond exactly those caps that take the
     * event.
     */
    Place place(Position position) {
        return new Place(
                byCount.takes(position) ? OVER_ALL_CAPS.events() : 0,
                byBytes.takes(position) ? OVER_ALL_CAPS.bytes() : 0,
                0,
                0);
    }

    /** The position up to which one of the caps takes events. */
    private final class Cut {

        private final Limit cap;

        /** The first position that the cap does not take; during the search, the end of its execution. */
        private Position end = new Position(0, 0, 0);

        private long lastExecution;

        /** The search in the execution that holds the cut; null if it is over, or there is none. */
        private @Nullable CutSearch search;

        private boolean takesAny;
        private long amount;

        /** @param isShownEarly true if the events of execution 0 are shown before it is known whether that is needed */
        Cut(Limit cap, boolean isShownEarly) {
            this.cap = cap;
            this.search = isShownEarly && !cap.isNone() ? new CutSearch(0, window) : null;
        }

        /**
         * Moves on to an execution.
         *
         * @param held the amount that the stream holds, without earlier executions that go or are kept
         * @param loose the amount of the execution that may go
         * @return true if all of the loose amount goes
         */
        boolean reach(long execution, long held, long loose) {
            long tooMuch = cap.isNone() ? 0 : held - cap.value();
            if (tooMuch <= 0) {
                return false;
            }
            takesAny = true;
            lastExecution = execution;
            end = new Position(execution + 1, 0, 0);
            amount = tooMuch < loose ? tooMuch : 0;
            return amount == 0;
        }

        /** Begins the search if the cut lies within an execution; all of its events may have been shown already. */
        void beginSearch() {
            if (amount == 0) {
                search = null;
            } else if (search == null) {
                search = new CutSearch(lastExecution, window);
            } else {
                endPass();
            }
        }

        void show(Position position, long weight) {
            if (search != null && position.execution() == lastExecution) {
                search.show(position, weight);
            }
        }

        void endPass() {
            if (search != null && search.endPass(amount)) {
                end = search.cut();
                search = null;
            }
        }

        boolean takes(Position position) {
            return position.compareTo(end) < 0;
        }
    }
}
