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
 * Forecast of the events that the caps would take from a shadow of a stream whose events are not read in the order in
 * which they would go: a stretch from the first event on, without the events that a guard keeps. Each execution is
 * added up, which tells in which of them the stretch ends; then that place is looked for. Not thread-safe.
 */
final class CapForecast {

    /** The place of an event that every cap takes, if no guard keeps it. */
    static final Place OVER_ALL_CAPS = new Place(Long.MAX_VALUE, Long.MAX_VALUE, 0, 0);

    private final StreamState shadow;
    private final EffectivePolicy policy;
    private final int window;

    /** True if one execution is all there is, so that the first pass already shows the events that the search needs. */
    private final boolean isShownEarly;

    private final Map<Long, Tally> tallies = new HashMap<>();
    private final Cut byCount;
    private final Cut byBytes;

    CapForecast(StreamState shadow, int window) {
        this.shadow = shadow;
        this.policy = shadow.policy();
        this.window = window;
        this.isShownEarly = shadow.executions() == null;
        this.byCount = new Cut(policy.mostEvents());
        this.byBytes = new Cut(policy.mostBytes());
    }

    /** Events that age and own TTLs leave of one execution, and those of them that may go. */
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
        if (!byCount.exists() && !byBytes.exists()) {
            return;
        }
        Tally tally = tallies.computeIfAbsent(segment.number(), number -> new Tally());
        tally.leftEvents++;
        tally.leftBytes += bytes;
        if (isLoose) {
            tally.looseEvents++;
            tally.looseBytes += bytes;
            if (isShownEarly) {
                byCount.showEarly(position, 1);
                byBytes.showEarly(position, bytes);
            }
        }
    }

    /** Finds out in which executions the caps end, after all is counted. Returns whether they take anything. */
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
            // Events that a guard keeps count no less than those that go: the caps take the next ones instead.
            events -= tally.leftEvents;
            bytes -= tally.leftBytes;
        }
        tallies.clear();
        return byCount.takesAny || byBytes.takesAny;
    }

    private boolean isKept(long rank) {
        Limit keepLast = policy.keepLast().value();
        return rank != Place.NO_EXECUTIONS && !keepLast.isNone() && rank <= keepLast.value();
    }

    /** Returns true if all events of the execution go that no guard keeps; else the caps end in this execution. */
    private boolean isEmptied(Segment segment, Tally tally, long events, long bytes) {
        return byCount.reach(segment.number(), events, tally.looseEvents)
                || byBytes.reach(segment.number(), bytes, tally.looseBytes);
    }

    /** Returns true if the loose events up to {@link #lastExecution} have to be shown once more. */
    boolean isSearching() {
        return byCount.isSearching || byBytes.isSearching;
    }

    /** Shows the search a loose event. */
    void show(Position position, long bytes) {
        byCount.show(position, 1);
        byBytes.show(position, bytes);
    }

    /** Ends a pass, in which all events that the search needs have been shown. */
    void endPass() {
        byCount.endPass();
        byBytes.endPass();
    }

    /** The last execution of which anything goes. */
    long lastExecution() {
        return Math.max(byCount.lastExecution, byBytes.lastExecution);
    }

    /**
     * The place of an event at that position, once the search is over: beyond exactly those caps that take the event.
     */
    Place place(Position position) {
        return new Place(
                byCount.takes(position) ? OVER_ALL_CAPS.events() : 0,
                byBytes.takes(position) ? OVER_ALL_CAPS.bytes() : 0,
                0,
                0);
    }

    /** Place up to which one of the caps takes events. */
    private final class Cut {

        private final Limit cap;

        /** The first position that the cap does not take; during the search for it, the end of its execution. */
        private Position end = new Position(0, 0, 0);

        private long lastExecution;

        /** The search in the execution in which the cut lies. */
        private @Nullable CutSearch search;

        private boolean takesAny;
        private boolean isSearching;
        private long amount;

        Cut(Limit cap) {
            this.cap = cap;
        }

        boolean exists() {
            return !cap.isNone();
        }

        void showEarly(Position position, long weight) {
            if (exists()) {
                search(0).show(position, weight);
            }
        }

        private CutSearch search(long execution) {
            CutSearch known = search;
            if (known == null) {
                known = new CutSearch(execution, window);
                search = known;
            }
            return known;
        }

        /**
         * Goes on to an execution.
         *
         * @param held the amount that the stream holds, without executions before this one that go or are kept
         * @param loose the amount of the execution that may go
         * @return true if all of that amount goes
         */
        boolean reach(long execution, long held, long loose) {
            long tooMuch = exists() ? held - cap.value() : 0;
            if (tooMuch <= 0) {
                return false;
            }
            takesAny = true;
            lastExecution = execution;
            end = new Position(execution + 1, 0, 0);
            if (tooMuch >= loose) {
                return true;
            }
            amount = tooMuch;
            isSearching = true;
            search(execution);
            if (isShownEarly) {
                endPass();
            }
            return false;
        }

        void show(Position position, long weight) {
            if (isSearching && search != null && position.execution() == lastExecution) {
                search.show(position, weight);
            }
        }

        void endPass() {
            if (isSearching && search != null && search.endPass(amount)) {
                end = search.cut();
                isSearching = false;
            }
        }

        boolean takes(Position position) {
            return position.compareTo(end) < 0;
        }
    }
}
