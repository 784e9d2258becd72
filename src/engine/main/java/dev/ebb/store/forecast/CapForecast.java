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
 * What the caps would take from a shadow of a stream whose events are not read in the order in which they would go: a
 * stretch from the first event on, without what a guard keeps. It adds up each execution, from which follows in which of
 * them the stretch ends, and then looks for the place. Not thread-safe.
 */
final class CapForecast {

    /** The place of an event that every cap takes, if no guard keeps it. */
    static final Place OVER_ALL_CAPS = new Place(Long.MAX_VALUE, Long.MAX_VALUE, 0, 0);

    private final StreamState shadow;
    private final EffectivePolicy policy;
    private final int window;

    /** Whether one execution is all there is, so that the first pass shows already what the search needs. */
    private final boolean isShownEarly;

    private final Map<Long, Tally> tallies = new HashMap<>();
    private final Cut byCount;
    private final Cut byBytes;

    CapForecast(StreamState shadow, int window) {
        this.shadow = shadow;
        this.policy = shadow.policy();
        this.window = window;
        this.isShownEarly = shadow.executions() == null;
        this.byCount = new Cut(policy.maxCount().value());
        this.byBytes = new Cut(policy.maxBytes().value());
    }

    /** What age and own TTLs leave of one execution, and what of that may go. */
    private static final class Tally {
        long leftEvents;
        long leftBytes;
        long looseEvents;
        long looseBytes;
    }

    /**
     * Counts an event that age and own TTL leave.
     *
     * @param isLoose whether no guard keeps it, and its execution is not the current one
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

    /** All have been counted: finds out in which executions the caps end. Returns whether they take anything. */
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
            // What a guard keeps counts no less than what goes: the caps take the next ones for it.
            events -= tally.leftEvents;
            bytes -= tally.leftBytes;
        }
        tallies.clear();
        return byCount.takesAny() || byBytes.takesAny();
    }

    private boolean isKept(long rank) {
        Limit keepLast = policy.keepLast().value();
        return rank != Place.NO_EXECUTIONS && !keepLast.isNone() && rank <= keepLast.value();
    }

    /** Whether all of the execution goes that no guard keeps; else the caps end in it. */
    private boolean isEmptied(Segment segment, Tally tally, long events, long bytes) {
        return byCount.reach(segment.number(), events, tally.looseEvents)
                || byBytes.reach(segment.number(), bytes, tally.looseBytes);
    }

    /** Whether it has to be shown the loose events up to {@link #lastExecution} once more. */
    boolean isSearching() {
        return byCount.isSearching || byBytes.isSearching;
    }

    /** Shows it a loose event. */
    void show(Position position, long bytes) {
        byCount.show(position, 1);
        byBytes.show(position, bytes);
    }

    /** All have been shown that it needs. */
    void endPass() {
        byCount.endPass();
        byBytes.endPass();
    }

    /** Nothing goes of the executions behind this one. */
    long lastExecution() {
        return Math.max(byCount.lastExecution, byBytes.lastExecution);
    }

    /** The place of an event there, once nothing is searched for any more: the caps that take it take it there. */
    Place place(Position position) {
        return new Place(
                byCount.takes(position) ? OVER_ALL_CAPS.events() : 0,
                byBytes.takes(position) ? OVER_ALL_CAPS.bytes() : 0,
                0,
                0);
    }

    /** Up to where one of the caps takes. */
    private final class Cut {

        private final Limit cap;

        /** The first position that it does not take; while it is searched for, the end of its execution. */
        private Position end = new Position(0, 0, 0);

        private long lastExecution;

        /** Of the execution in which the cut lies. */
        private @Nullable CutSearch search;

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
         * @param held what the stream holds, without what is gone before it or kept
         * @param loose what of the execution may go
         * @return whether all that may go of the execution goes
         */
        boolean reach(long execution, long held, long loose) {
            long tooMuch = exists() ? held - cap.value() : 0;
            if (tooMuch <= 0) {
                return false;
            }
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

        boolean takesAny() {
            return end.execution() > 0 || end.anchorMs() > 0 || end.seq() > 0;
        }

        boolean takes(Position position) {
            return position.compareTo(end) < 0;
        }
    }
}
