package dev.ebb.store.read;

import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * Selects the events of a list by status, and with it the ranges where they can lie: events with a status that is not
 * terminal lie only among the protected ones, all others never do (M-3).
 *
 * @param wanted the status, in any case; empty for events without a status; null for all events
 * @param statuses the terminal statuses in force
 */
public record StatusFilter(@Nullable String wanted, TerminalStatuses statuses) {

    /** The filter that accepts all events. */
    public static final StatusFilter ALL = new StatusFilter(null, TerminalStatuses.DEFAULT);

    /** Returns true if events with this status are shown; null and empty mean the same. */
    public boolean accepts(@Nullable String status) {
        return wanted == null || TerminalStatuses.isSame(wanted, status);
    }

    /**
     * Returns true if selected events may lie in the range. While another set of terminal statuses sorts the stream
     * anew, they may lie in any range (M-3).
     */
    boolean mayBeIn(Range range, StreamState stream) {
        return wanted == null || !stream.isSortedBy(statuses) || statuses.isTerminal(wanted) == range.isPositional();
    }
}
