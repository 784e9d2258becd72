package dev.ebb.domain.retention;

import dev.ebb.domain.Shortened;
import dev.ebb.domain.event.StreamName;

/**
 * Says for the audit that figures which are kept of a stream did not agree with its events and were mended. No event was
 * changed by it.
 *
 * @param auditId identifies the record; unique over all partitions
 * @param stream whose figures they are
 * @param detail the figures before and after, for people; at most {@link #MOST_CHARACTERS} characters
 * @param atMs when, epoch milliseconds
 */
public record UsageRepair(String auditId, StreamName stream, String detail, long atMs) {

    /** A stream may have many executions whose figures are wrong. */
    public static final int MOST_CHARACTERS = 2000;

    /** The note at the end of a shortened text is no longer. */
    private static final int NOTE_CHARACTERS = 40;

    public UsageRepair {
        detail = detail.length() <= MOST_CHARACTERS ? detail : Shortened.to(MOST_CHARACTERS - NOTE_CHARACTERS, detail);
    }
}
