package dev.ebb.domain.command;

import java.time.DateTimeException;
import java.time.Instant;

/**
 * Key of any row of the table of events. The time and the id of a row made by hand need not follow the rules of events.
 * Written as the time, a blank and the id.
 *
 * @param storedAt the {@code stored_at} of the row as {@link Instant} writes it, to the microsecond
 * @param eventId the {@code event_id} of the row; may be empty
 */
public record RowKey(String storedAt, String eventId) {

    /** @throws IllegalArgumentException if the text of the time is not a time */
    public RowKey {
        try {
            Instant.parse(storedAt);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + storedAt + "' is not a time such as 2026-01-31T09:00:00.123Z", e);
        }
    }

    /**
     * Returns the key of a text that {@link #toString()} wrote.
     *
     * @throws IllegalArgumentException if the text is not such a key
     */
    public static RowKey parse(String text) {
        int blank = text.indexOf(' ');
        if (blank < 0) {
            throw new IllegalArgumentException("'" + text + "' is not a time, a blank and an event id");
        }
        return new RowKey(text.substring(0, blank), text.substring(blank + 1));
    }

    /** Returns the time at which the event was stored, according to the row. */
    public Instant instant() {
        return Instant.parse(storedAt);
    }

    @Override
    public String toString() {
        return storedAt + " " + eventId;
    }
}
