package dev.ebb.store.read;

import dev.ebb.store.due.DueCursor;
import dev.ebb.store.due.DueEvent;
import dev.ebb.store.due.DueFilter;
import dev.ebb.store.due.DueVisitor;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * Finds the events that age and own TTLs take while the events move into another arrangement and do not lie in the
 * order in which they go. Reads all events that may go. Used once.
 */
record ListedDueWalk(StreamReader reader, StreamState stream, DueFilter filter, DueVisitor visitor) {

    private static final String OWN = "l";

    static boolean isOwnCursor(@Nullable String cursor) {
        return cursor != null && cursor.startsWith(OWN);
    }

    /**
     * Returns the place where the visitor ended the walk; null if the walk came to its end. A cursor of a {@code
     * DueWalk} has lost its meaning; with such a cursor, the walk begins again.
     */
    @Nullable
    String walk(@Nullable String cursor) {
        String from = cursor != null && isOwnCursor(cursor) ? cursor.substring(OWN.length()) : null;
        if (cursor != null && from == null) {
            DueCursor.parse(cursor);
        }
        String end = reader.visitUnprotected(stream, from, value -> {
            DueEvent due = filter.of(null, value);
            return (due == null || visitor.due(due)) && visitor.goesOn();
        });
        return end == null ? null : OWN + end;
    }
}
