package dev.ebb.store.read;

import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * Selects the events that a list is to show by their status, and so the ranges where they can lie: those of a status
 * that is not terminal among the protected events only, the others never there (M-3).
 *
 * @param wanted the status, in capitals or not; empty for events without one; null for all events
 * @param statuses the terminal statuses in force
 */
public record StatusFilter(@Nullable String wanted, TerminalStatuses statuses) {

    /** Shows all events. */
    public static final StatusFilter ALL = new StatusFilter(null, TerminalStatuses.DEFAULT);

    /** Returns true if events of that status are shown; null and empty are the same. */
    public boolean accepts(@Nullable String status) {
        return wanted == null || TerminalStatuses.isSame(wanted, status);
    }

    /**
     * Returns true if such events may lie in the range. Not known while other terminal statuses sort the stream anew
     * (M-3).
     */
    boolean mayBeIn(Range range, StreamState stream) {
        return wanted == null || !stream.isSortedBy(statuses) || statuses.isTerminal(wanted) == range.isPositional();
    }
}
