package dev.ebb.port.history;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads records that could not be used, newest first, and sends them again. Thread-safe; throws the exceptions of
 * {@link AuditQueries}.
 */
public interface RejectedQueries {

    /**
     * Returns one page.
     *
     * @param reason only records set aside for this reason, in upper case; null for all
     * @param time only records set aside in this range
     * @param after the cursor of the previous page; null to begin with the newest
     * @param limit the maximum number of items on a page, at least 1
     */
    HistoryPage<RejectedRecord> list(@Nullable String reason, TimeRange time, @Nullable String after, int limit);

    /** Returns the record; empty if the topic does not hold it, or no longer does. */
    Optional<RejectedRecord> find(RejectedRecord.Id id);

    /**
     * Sends the record, byte for byte, back to the topic from which it came. The record stays on the rejected topic as
     * well.
     *
     * @return the topic to which it was sent
     * @throws NotReplayableException if the record did not come from a topic that people write to, or is not there in
     *     full
     * @throws dev.ebb.port.UnavailableException if the broker did not take the record
     */
    String replay(RejectedRecord record);

    /** Signals that the record cannot be sent back to its topic. */
    final class NotReplayableException extends RuntimeException {

        /** @param message the reason */
        public NotReplayableException(String message) {
            super(message);
        }
    }
}
