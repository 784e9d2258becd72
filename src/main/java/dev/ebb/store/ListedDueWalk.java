package dev.ebb.store;

import org.jspecify.annotations.Nullable;

/**
 * Finds what age and own TTLs take where the events do not lie in the order in which they go: on their way into another
 * arrangement. All that may go is read. Used once.
 */
final class ListedDueWalk {

    private static final int PAGE = 256;
    private static final String OWN = "l";

    private final ReadOnlyEventStore reader;
    private final StreamState stream;
    private final DueFilter filter;
    private final DueVisitor visitor;

    ListedDueWalk(ReadOnlyEventStore reader, StreamState stream, DueFilter filter, DueVisitor visitor) {
        this.reader = reader;
        this.stream = stream;
        this.filter = filter;
        this.visitor = visitor;
    }

    static boolean isOwnCursor(@Nullable String cursor) {
        return cursor != null && cursor.startsWith(OWN);
    }

    /**
     * Returns where the visitor ended it; null if it came to its end. A cursor of the other walk has lost its meaning: the
     * walk begins anew.
     */
    @Nullable
    String walk(@Nullable String cursor) {
        String from = cursor != null && isOwnCursor(cursor) ? cursor.substring(OWN.length()) : null;
        if (cursor != null && from == null) {
            DueCursor.parse(cursor);
        }
        do {
            var rows = reader.unprotected(stream, from, PAGE + 1);
            for (var row : rows.subList(0, Math.min(PAGE, rows.size()))) {
                DueEvent due = filter.of(row.value());
                if (due != null && !visitor.due(due)) {
                    return OWN + row.cursor();
                }
            }
            from = rows.size() > PAGE ? rows.get(PAGE).cursor() : null;
        } while (from != null);
        return null;
    }
}
