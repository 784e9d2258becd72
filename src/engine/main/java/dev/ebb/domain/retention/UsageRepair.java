package dev.ebb.domain.retention;

import dev.ebb.domain.Shortened;
import dev.ebb.domain.event.StreamName;

/**
 * Says for the audit that the figures kept for a stream disagreed with its events and were corrected. No event was
 * changed.
 *
 * @param auditId identifies the record; unique over all partitions
 * @param stream the stream of the figures
 * @param detail the figures before and after, for people; at most {@link #MOST_CHARACTERS} characters
 * @param atMs time of the repair, epoch milliseconds
 */
public record UsageRepair(String auditId, StreamName stream, String detail, long atMs) {

    /** The most characters of a detail; a stream may have many executions with wrong figures. */
    public static final int MOST_CHARACTERS = 2000;

    /** The most characters of the note at the end of a shortened text. */
    private static final int NOTE_CHARACTERS = 40;

    public UsageRepair {
        detail = detail.length() <= MOST_CHARACTERS ? detail : Shortened.to(MOST_CHARACTERS - NOTE_CHARACTERS, detail);
    }
}
