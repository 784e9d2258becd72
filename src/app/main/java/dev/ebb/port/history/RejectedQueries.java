package dev.ebb.port.history;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads records that could not be used, newest first, and sends them once more. Thread-safe; throws what
 * {@link AuditQueries} throws.
 */
public interface RejectedQueries {

    /**
     * One page.
     *
     * @param reason only records set aside for this reason, in upper case; null for all
     * @param time only records set aside then
     * @param after the cursor that came with the page before; null to begin with the newest
     * @param limit how many there are on a page, from 1
     */
    HistoryPage<RejectedRecord> list(@Nullable String reason, TimeRange time, @Nullable String after, int limit);

    /** The record; empty if the topic does not hold it, or not any more. */
    Optional<RejectedRecord> find(RejectedRecord.Id id);

    /**
     * Sends the record, its bytes untouched, back to the topic that it came from. It stays on the rejected topic.
     *
     * @return the topic that it was sent to
     * @throws NotReplayableException if it did not come from a topic that people write, or not all of it is there
     * @throws dev.ebb.port.UnavailableException if the broker did not take it
     */
    String replay(RejectedRecord record);

    /** The record cannot be sent back where it came from. */
    final class NotReplayableException extends RuntimeException {

        /** The message says why. */
        public NotReplayableException(String message) {
            super(message);
        }
    }
}
